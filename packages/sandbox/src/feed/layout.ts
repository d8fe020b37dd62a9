/** The layout of the sandbox's own pages. */

/** Returns a page without scripts. @param header, main HTML */
export function layout(title: string, header: string, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${title}</h1>
${header}
</header>
<main>
${main}
</main>
</body>
</html>`;
}

const STYLE = `
:root{color-scheme:light dark;--page:#eceef1;--card:#fff;--ink:#16181d;--soft:#555b66;--link:#0b57d0;
font:16px/1.5 system-ui,sans-serif}
@media (prefers-color-scheme:dark){:root{--page:#0c0d10;--card:#191b20;--ink:#eef0f4;--soft:#a5acb8;--link:#8ab4f8}}
html{background:var(--page);color:var(--ink)}
body{margin:0 auto;max-width:80rem;padding:1rem}
main{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr));align-items:start;
margin-top:1rem}
@media (max-width:36rem){html{scroll-snap-type:y proximity}header{scroll-snap-align:start;scroll-margin:1rem}
article{scroll-snap-align:center}}
h1{font-size:1.4rem;margin:0}h2{font-size:1rem;margin:.75rem 1rem 0}
a{color:var(--link)}:focus-visible{outline:3px solid var(--link);outline-offset:2px}
article,.empty{background:var(--card);border-radius:1.75rem;padding-bottom:1rem;overflow:hidden;
border:1px solid color-mix(in srgb,var(--ink) 15%,transparent)}
video{display:block;width:100%;aspect-ratio:9/16;max-height:75svh;background:#000;object-fit:contain}
h2 span{font-size:.8rem;font-weight:600;color:var(--soft);border:1px solid;border-radius:1rem;padding:.05rem .6rem;
margin-left:.25rem}
.text{margin:.25rem 1rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.when{margin:.25rem 1rem 0;font-size:.9rem;color:var(--soft)}
.empty{padding:2rem 1rem;text-align:center}.empty h2{margin-top:0}
code{overflow-wrap:anywhere}
dl{margin:0 1rem}dt{margin-top:.75rem;font-size:.9rem;color:var(--soft)}dd{margin:0}dd code{user-select:all}
form{margin:.75rem 1rem 0;display:grid;gap:.5rem}
label,input,select,textarea{display:block;width:100%;box-sizing:border-box}
input,select,textarea,button{font:inherit;padding:.5rem}textarea{resize:vertical}
`;
