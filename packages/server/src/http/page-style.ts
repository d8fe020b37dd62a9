/** The style of small pages: the colors, shapes and fonts of the dashboard, whose files they do not load. */
import { type Colors, DARK, LIGHT } from '../lib/colors.ts';

/** The picture of `apps/web/public/icon.svg`. */
export const LOGO =
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#4c3fd1"/><path d="M11 7.5v17l13-8.5z" fill="#fff"/><path d="M7 10v12" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>';

/** Custom properties, such as `--text:#000`. */
const propertiesOf = (colors: Colors) =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');

export const PAGE_STYLE = `:root{color-scheme:light dark;${propertiesOf(LIGHT)}}
@media(prefers-color-scheme:dark){:root{${propertiesOf(DARK)}}}
*{box-sizing:border-box}body{font:16px/1.55 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;margin:0;padding:clamp(1rem,8vh,5rem) 1rem 2rem;color:var(--text);background:var(--page)}
header,main{max-width:30rem;margin:0 auto}header{display:flex;align-items:center;gap:.6rem;margin-bottom:1rem;font-weight:700;font-size:1.125rem}
main{padding:1.5rem;background:var(--paper);border:1px solid var(--line);border-radius:1rem;overflow-wrap:anywhere}
h1{margin:0 0 1rem;font-size:1.375rem;font-weight:750;letter-spacing:-.02em;line-height:1.3}main>:last-child,form>:last-child{margin-bottom:0}a{color:var(--link)}small{color:var(--dim)}
fieldset{margin:1rem 0;padding:.5rem 1rem .75rem;border:1px solid var(--line);border-radius:.625rem}legend{padding:0 .4rem;font-weight:600}
.choice{display:flex;align-items:center;gap:.75rem;min-height:2.75rem;cursor:pointer}.choice input{flex:none;width:1.125rem;height:1.125rem;margin:0;accent-color:var(--first)}
select{font:inherit;width:100%;min-height:2.75rem;margin-top:.25rem;padding:.4rem .75rem;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.625rem}
button,.button{display:inline-block;font:inherit;font-weight:600;min-height:2.75rem;padding:.55rem 1.25rem;border:1px solid var(--line);border-radius:.625rem;cursor:pointer;color:inherit;background:transparent;text-decoration:none}
.first{background:var(--first);border-color:var(--first);color:#fff}:focus-visible{outline:3px solid var(--first);outline-offset:2px}`;
