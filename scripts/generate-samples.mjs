/**
 * Makes the sample videos of the dashboard with ffmpeg: a landscape at sunrise, and the sea at night. Run it to change them;
 * the videos are committed, because versions of ffmpeg differ in their output.
 *   node scripts/generate-samples.mjs
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../apps/web/public/samples/', import.meta.url));
const SIZE = { width: 540, height: 960 };
/** The picture is drawn in half of the size: an expression for each pixel takes long. */
const DRAWN = { width: SIZE.width / 2, height: SIZE.height / 2 };
const RATE = 24;
const SECONDS = 6;
/** Where the sky ends, as a part of the height. */
const HORIZON = 0.62;

/** Colors are red, green and blue, from 0 to 255: of the sky from top to horizon, of the light, of the hills and of the sea. */
const SAMPLES = {
  sunrise: {
    sky: [
      [38, 24, 104],
      [150, 62, 150],
      [255, 122, 96],
      [255, 206, 130],
    ],
    light: { color: [255, 236, 190], from: 0.6, to: 0.4, radius: 0.13 },
    hills: [
      [112, 52, 118],
      [56, 28, 84],
    ],
    sea: [
      [214, 104, 110],
      [46, 26, 92],
    ],
    tones: [220, 277.18, 329.63],
  },
  ocean: {
    sky: [
      [4, 10, 34],
      [12, 34, 78],
      [28, 84, 128],
      [88, 170, 180],
    ],
    light: { color: [232, 246, 255], from: 0.3, to: 0.22, radius: 0.1 },
    hills: [
      [14, 48, 78],
      [8, 26, 50],
    ],
    sea: [
      [46, 122, 146],
      [4, 14, 40],
    ],
    tones: [164.81, 220, 246.94],
  },
};

/** An expression that runs through values, evenly spaced over 0 to 1. */
function ramp(values, position) {
  const last = values.length - 1;
  return values
    .slice(0, -1)
    .reduceRight(
      (rest, value, index) =>
        `if(lt(${position},${((index + 1) / last).toFixed(4)}),lerp(${value},${values[index + 1]},clip(${position}*${last}-${index},0,1)),${rest})`,
      `${values[last]}`,
    );
}

/** The height of a line of hills, as a part of the picture's. The hills pass slowly. */
const hill = (base, height, waves, shift, speed) =>
  `(${base}-${height}*(0.6+0.4*sin(ld(0)*${waves}+${shift}+T*${speed})*sin(ld(0)*${waves * 0.37}+${shift * 2})))`;

/** Evaluated for each pixel and color. @see https://ffmpeg.org/ffmpeg-utils.html#Expression-Evaluation */
function expression({ sky, light, hills, sea }, color) {
  const at = (colors) => colors.map((each) => each[color]);
  const { width, height } = SIZE;
  const shape = `${(height / width).toFixed(4)}`;
  const sun = `(${light.from}-${(light.from - light.to).toFixed(2)}*T/${SECONDS})`;
  return [
    `st(0,X/W)`,
    `st(1,Y/H)`,
    // Distance to the light, in widths.
    `st(2,sqrt(pow(ld(0)-0.5,2)+pow((ld(1)-${sun})*${shape},2)))`,
    `st(3,${ramp(at(sky), `(ld(1)/${HORIZON})`)})`,
    // A glow, and the disc.
    `st(3,lerp(ld(3),${light.color[color]},0.55*exp(-ld(2)*ld(2)*9)))`,
    `st(3,lerp(ld(3),${light.color[color]},clip((${light.radius}-ld(2))*90,0,1)))`,
    `st(3,lerp(ld(3),${hills[0][color]},clip((ld(1)-${hill(HORIZON, 0.11, 7, 0.5, 0.06)})*260,0,1)))`,
    `st(3,lerp(ld(3),${hills[1][color]},clip((ld(1)-${hill(HORIZON, 0.06, 11, 2.1, 0.12)})*260,0,1)))`,
    // The sea: darker towards the viewer, with waves that become larger, and a path of light.
    `st(4,clip((ld(1)-${HORIZON})/${1 - HORIZON},0,1))`,
    `st(5,lerp(${sea[0][color]},${sea[1][color]},pow(ld(4),0.6)))`,
    `st(6,sin(150*pow(ld(4)+0.02,0.45)-T*2.2+3*sin(ld(0)*9+T*0.7+ld(4)*14)))`,
    `st(7,exp(-pow((ld(0)-0.5)/(0.05+0.24*ld(4)),2)))`,
    `st(5,ld(5)*(1+0.1*ld(6)))`,
    `st(5,lerp(ld(5),${light.color[color]},clip(0.85*ld(7)*(0.35+0.65*ld(6)),0,1)*(1-0.55*ld(4))))`,
    `if(gt(ld(1),${HORIZON}),ld(5),ld(3))`,
  ].join(';');
}

function make(name, sample) {
  const { width, height } = SIZE;
  const [r, g, b] = [0, 1, 2].map((color) => `'${expression(sample, color)}'`);
  const picture = [
    `color=s=${DRAWN.width}x${DRAWN.height}:r=${RATE}:d=${SECONDS}`,
    `format=gbrp,geq=r=${r}:g=${g}:b=${b}`,
    `scale=${width}:${height}:flags=lanczos,noise=alls=2:allf=t,format=yuv420p`,
  ].join(',');
  const tones = sample.tones.map((tone) => ['-f', 'lavfi', '-i', `sine=frequency=${tone}:duration=${SECONDS}`]);
  const mixed = `amix=inputs=${tones.length},tremolo=f=0.4:d=0.5,lowpass=f=900,afade=t=in:d=1,afade=t=out:st=${SECONDS - 1.5}:d=1.5`;
  const input = ['-f', 'lavfi', '-i', picture, ...tones.flat()];
  const sources = tones.map((_, index) => `[${index + 1}:a]`).join('');
  const video = ['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '27', '-profile:v', 'high', '-g', `${RATE * 2}`];
  const sound = ['-c:a', 'aac', '-b:a', '64k', '-ac', '2', '-ar', '44100'];
  execFileSync(
    'ffmpeg',
    [
      ...[
        '-v',
        'error',
        '-y',
        ...input,
        '-filter_complex',
        `${sources}${mixed}[sound]`,
        '-map',
        '0:v',
        '-map',
        '[sound]',
      ],
      ...[
        ...video,
        ...sound,
        '-movflags',
        '+faststart',
        '-map_metadata',
        '-1',
        '-fflags',
        '+bitexact',
        `${FOLDER}${name}.mp4`,
      ],
    ],
    { stdio: 'inherit' },
  );
}

for (const [name, sample] of Object.entries(SAMPLES)) make(name, sample);
