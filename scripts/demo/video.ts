import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Colors of a rotating night sky. */
const SKY = ['0x0b1026', '0x1f6f8b', '0x99f3bd', '0xf9a1bc', '0x5d3a9b', '0x0b1026'];
const SECONDS = 6;

/**
 * Creates a vertical video of a few megabytes with motion and sound.
 * @param ffmpeg name or path of the program
 */
export async function makeVideo(path: string, ffmpeg: string): Promise<void> {
  const colours = SKY.map((colour, index) => `c${index}=${colour}`).join(':');
  const sky = `gradients=size=180x320:rate=30:duration=${SECONDS}:nb_colors=${SKY.length}:${colours}:type=spiral:speed=0.02:seed=7`;
  // Rendered small, because rendering is the slow part.
  const look = 'scale=540:960:flags=bicubic,noise=alls=8:allf=t,format=yuv420p';
  const chord = [220, 277.18, 329.63].map((hertz) => `0.1*sin(2*PI*${hertz}*t)*(1+sin(PI*t/${SECONDS}))`).join('+');
  const inputs = ['-f', 'lavfi', '-i', sky, '-f', 'lavfi', '-i', `aevalsrc=${chord}:d=${SECONDS}`];
  const video = ['-vf', look, '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '24', '-g', '60'];
  const output = ['-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart', '-y', path];
  await run(ffmpeg, ['-nostdin', '-v', 'error', ...inputs, ...video, ...output]);
}
