import { createElement, type ReactNode, type SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke' | 'ref'> {
  /** Width and height in pixels. Default: 24. */
  size?: number | string;
}

/** A picture of one color, which is the color of the text around it. */
export type Icon = ((props: IconProps) => ReactNode) & { readonly displayName: string };

/** Elements of an SVG picture of 24 × 24: the name of each, with its attributes. */
type Shape = readonly (readonly [string, Readonly<Record<string, string>>])[];

const FRAME = { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 24 24' };
const STYLES = {
  outline: { fill: 'none', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' },
  filled: { stroke: 'none' },
} as const;

/** Creates an icon. `style` says whether the shape is drawn as lines or as areas. */
export function createIcon(name: string, style: keyof typeof STYLES, shape: Shape): Icon {
  return Object.assign((props: IconProps) => draw(style, shape, props), { displayName: name });
}

function draw(style: keyof typeof STYLES, shape: Shape, { size = 24, color = 'currentColor', ...rest }: IconProps) {
  const paint = style === 'filled' ? 'fill' : 'stroke';
  const children = shape.map(([tag, attributes], key) => createElement(tag, { ...attributes, key }));
  const frame = { ...FRAME, ...STYLES[style], width: size, height: size, [paint]: color };
  return createElement('svg', { ...frame, ...rest }, children);
}
