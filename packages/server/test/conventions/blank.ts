/** Blanks out comments and strings of a program without moving anything, so that rules can match the rest. */

export interface Blanked {
  /** Without comments. */
  code: string;
  /** Without comments and string contents; the quotes remain. */
  bare: string;
}

/** A slash after one of these starts a regular expression; otherwise it is a division, or part of a JSX tag. */
const BEFORE_EXPRESSION = /(?:^|[(,=:[!&|?{};~+\-*%<>^]|\b(?:return|typeof|case|in|of|do|else|void|throw|new))\s*$/;

/** @param text a syntactically valid program */
export function blank(text: string): Blanked {
  const code = text.split('');
  const bare = text.split('');
  const wipe = (list: string[], from: number, to: number) => {
    for (let at = from; at < to; at++) if (list[at] !== '\n') list[at] = ' ';
  };
  /** Open template literals, each with its number of open braces. */
  const templates: number[] = [];
  let at = 0;
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    const one = text[at] ?? '';
    let end = at + 1;
    if (two === '//' || two === '/*') {
      const close = two === '//' ? text.indexOf('\n', at) : text.indexOf('*/', at) + 2;
      end = close < at ? text.length : close;
      wipe(code, at, end);
      wipe(bare, at, end);
    } else if (one === "'" || one === '"') {
      end = closing(text, at + 1, one);
      wipe(bare, at + 1, end - 1);
    } else if (
      one === '/' &&
      two !== '/>' &&
      text[at - 1] !== '<' &&
      BEFORE_EXPRESSION.test(code.slice(Math.max(0, at - 40), at).join(''))
    ) {
      end = closing(text, at + 1, '/');
      wipe(bare, at + 1, end - 1);
    } else if (one === '`' || (one === '}' && templates.at(-1) === 0)) {
      if (one === '}') templates.pop();
      end = closing(text, at + 1, '`');
      wipe(bare, at + 1, end - 1);
      // Stopped at a template placeholder, which contains code.
      if (text.slice(end - 2, end) === '${') templates.push(0);
    } else if (templates.length > 0 && (one === '{' || one === '}')) {
      templates.push((templates.pop() ?? 0) + (one === '{' ? 1 : -1));
    }
    at = end;
  }
  return { code: code.join(''), bare: bare.join('') };
}

/** Returns the end of a literal: after its closing character, or after the `${` of a template. */
function closing(text: string, at: number, close: string): number {
  let inClass = false;
  for (let here = at; here < text.length; here++) {
    const character = text[here];
    if (character === '\\') here++;
    // An apostrophe in the text of a JSX element.
    else if (character === '\n' && close !== '`') return here + 1;
    else if (close === '/' && character === '[') inClass = true;
    else if (close === '/' && character === ']') inClass = false;
    else if (character === close && !inClass) return here + 1;
    else if (close === '`' && character === '$' && text[here + 1] === '{') return here + 2;
  }
  return text.length;
}
