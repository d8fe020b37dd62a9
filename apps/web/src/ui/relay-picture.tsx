/** Pictures of empty pages: what will be there. Drawn with the colors of the theme. */
import classes from './relay-picture.module.css';

type RelayPictureName = 'posts' | 'calendar' | 'reposts' | 'phones';

/** Decorative: the text next to it says the same. */
export function RelayPicture({ name }: { name: RelayPictureName }) {
  const Drawing = DRAWINGS[name];
  return (
    <svg className={classes.picture} viewBox="0 0 240 132" width="240" height="132" aria-hidden="true">
      <Drawing />
    </svg>
  );
}

/** A video: 9:16, with the sign of the logo. */
function Video({ x, y, height, tone = 0 }: { x: number; y: number; height: number; tone?: 0 | 1 | 2 }) {
  const width = (height * 9) / 16;
  const mark = height / 7;
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={width} height={height} rx={height / 11} className={classes.video} data-tone={tone} />
      <path
        className={classes.mark}
        d={`M${width / 2 - mark * 0.55} ${height / 2 - mark}v${mark * 2}l${mark * 1.6}-${mark}z`}
      />
    </g>
  );
}

/** A way from one video to another, with an arrow at its end. */
function Way({ to: [x, y], from: [fromX, fromY] }: { from: [number, number]; to: [number, number] }) {
  const middle = (fromX + x) / 2;
  return (
    <g className={classes.way}>
      <path d={`M${fromX} ${fromY}C${middle} ${fromY} ${middle} ${y} ${x - 2} ${y}`} />
      <path d={`M${x - 8} ${y - 5}l6 5-6 5`} />
    </g>
  );
}

function Check({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`} className={classes.check}>
      <circle r="9" />
      <path d="M-4 0l3 3 5-6" />
    </g>
  );
}

const ROWS = [0, 1, 2] as const;

/** One video becomes several, each published. */
function Posts() {
  return (
    <>
      <Video x={14} y={26} height={80} />
      {ROWS.map((index) => (
        <g key={index}>
          <Way from={[64, 66]} to={[108 + index * 2, 24 + index * 42]} />
          <rect x={114} y={8 + index * 42} width="112" height="34" rx="8" className={classes.card} />
          <Video x={121} y={13 + index * 42} height={24} tone={index} />
          <rect
            x={142}
            y={17 + index * 42}
            width={index === 1 ? 38 : 52}
            height="5"
            rx="2.5"
            className={classes.text}
          />
          <rect x={142} y={27 + index * 42} width="28" height="5" rx="2.5" className={classes.quiet} />
          <Check x={212} y={25 + index * 42} />
        </g>
      ))}
    </>
  );
}

const DAYS = [0, 1, 2, 3, 4, 5, 6];

/** A week with planned videos. */
function Calendar() {
  return (
    <>
      <rect x="8" y="8" width="224" height="116" rx="10" className={classes.card} />
      {DAYS.map((day) => (
        <rect key={day} x={20 + day * 30} y="19" width="14" height="5" rx="2.5" className={classes.quiet} />
      ))}
      {DAYS.slice(1).map((day) => (
        <path key={day} d={`M${12 + day * 30.5} 34v82`} className={classes.line} />
      ))}
      <Video x={48} y={42} height={44} />
      <Video x={109} y={66} height={44} tone={1} />
      <Video x={170} y={50} height={44} tone={2} />
    </>
  );
}

/** A video on one account is reposted to two others. */
function Reposts() {
  return (
    <>
      <Way from={[74, 66]} to={[164, 30]} />
      <Way from={[74, 66]} to={[164, 102]} />
      <Video x={26} y={26} height={80} />
      <Video x={168} y={6} height={52} tone={1} />
      <Video x={168} y={74} height={52} tone={2} />
      <Check x={197} y={10} />
      <Check x={197} y={78} />
    </>
  );
}

/** Phones that show the same video. */
function Phones() {
  return (
    <>
      {[0, 1, 2].map((index) => (
        <g key={index} transform={`translate(${36 + index * 60} ${index === 1 ? 4 : 16})`}>
          <rect width="52" height={index === 1 ? 122 : 100} rx="10" className={classes.phone} />
          <Video
            x={index === 1 ? 5 : 6}
            y={index === 1 ? 24 : 14}
            height={index === 1 ? 74 : 71}
            tone={index === 1 ? 0 : 1}
          />
        </g>
      ))}
    </>
  );
}

const DRAWINGS = { posts: Posts, calendar: Calendar, reposts: Reposts, phones: Phones } as const satisfies Record<
  RelayPictureName,
  unknown
>;
