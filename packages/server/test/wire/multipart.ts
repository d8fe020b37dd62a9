/** Reads a multipart/form-data body (RFC 7578) as it streams by; of a part it keeps its head, its size and a short text. */

export interface Part {
  name: string;
  fileName: string | null;
  type: string | null;
  bytes: number;
  /** Null where it is longer than 64 kB. */
  text: string | null;
}

export interface FormReading {
  take(chunk: Buffer): void;
  /** When the body is over. @returns the parts in order, and what is wrong with their frame */
  end(): { parts: Part[]; wrong: string[] };
}

const MAX_TEXT = 65_536;
const MAX_HEAD = 16_384;
const CRLF = Buffer.from('\r\n');
const BLANK_LINE = Buffer.from('\r\n\r\n');

/** @param boundary as the content type names it */
export function readForm(boundary: string): FormReading {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: Part[] = [];
  const wrong: string[] = [];
  // The first delimiter has no line before it.
  let rest: Buffer = CRLF;
  let place: 'before' | 'delimiter' | 'head' | 'content' | 'after' | 'lost' = 'before';
  let kept: Buffer[] = [];

  const lose = (says: string) => {
    wrong.push(says);
    place = 'lost';
  };
  const add = (bytes: Buffer) => {
    const part = parts.at(-1);
    if (place !== 'content' || !part) return;
    part.bytes += bytes.length;
    if (part.bytes <= MAX_TEXT) kept.push(Buffer.from(bytes));
    else kept = [];
  };
  const close = () => {
    const part = parts.at(-1);
    if (part && part.bytes <= MAX_TEXT) part.text = Buffer.concat(kept).toString('utf8');
    kept = [];
  };
  /** One step through what has come. @returns false when more is needed */
  const advance = (): boolean => {
    if (place === 'before' || place === 'content') {
      const index = rest.indexOf(delimiter);
      if (place === 'before' && index !== 0 && rest.length >= delimiter.length) {
        lose('the body does not begin with its boundary');
        return false;
      }
      if (index < 0) {
        const safe = rest.length - delimiter.length + 1;
        if (place === 'content' && safe > 0) {
          add(rest.subarray(0, safe));
          rest = rest.subarray(safe);
        }
        return false;
      }
      add(rest.subarray(0, index));
      if (place === 'content') close();
      rest = rest.subarray(index + delimiter.length);
      place = 'delimiter';
      return true;
    }
    if (place === 'delimiter') {
      if (rest.length < 2) return false;
      const mark = rest.toString('latin1', 0, 2);
      rest = rest.subarray(2);
      if (mark === '--') place = 'after';
      else if (mark === '\r\n') place = 'head';
      else lose('a boundary is followed by something else than a line end');
      return true;
    }
    if (place === 'head') {
      const index = rest.indexOf(BLANK_LINE);
      if (index < 0) {
        if (rest.length > MAX_HEAD) lose('the head of a part does not end');
        return false;
      }
      parts.push(partOf(rest.toString('utf8', 0, index), wrong));
      rest = rest.subarray(index + BLANK_LINE.length);
      place = 'content';
      return true;
    }
    return false;
  };
  return {
    take(chunk) {
      if (place === 'lost') return;
      // Videos stream through here: where no boundary lies across the seam of two chunks, nothing is copied.
      const isSeam = place === 'content' && chunk.length >= delimiter.length;
      if (isSeam && !Buffer.concat([rest, chunk.subarray(0, delimiter.length - 1)]).includes(delimiter)) {
        add(rest);
        rest = chunk;
      } else rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      while (advance());
    },
    end() {
      if (place !== 'after' && place !== 'lost') wrong.push('the body ends before its last boundary');
      if (place === 'after' && rest.length > 0 && !rest.equals(CRLF)) wrong.push('something follows the last boundary');
      return { parts, wrong };
    },
  };
}

function partOf(head: string, wrong: string[]): Part {
  const lines = head.split('\r\n').map((line) => /^([!-9;-~]+): *(.*)$/.exec(line));
  const value = (name: string) => lines.find((line) => line?.[1]?.toLowerCase() === name)?.[2] ?? null;
  const disposition = value('content-disposition') ?? '';
  const name = /^form-data; name="([^"]*)"/.exec(disposition)?.[1];
  if (lines.includes(null) || name === undefined) wrong.push('a part has no name');
  const fileName = /; filename="([^"]*)"/.exec(disposition)?.[1] ?? null;
  return { name: name ?? '', fileName, type: value('content-type'), bytes: 0, text: null };
}
