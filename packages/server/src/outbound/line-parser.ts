/** A parser for lines with bounded memory. */

export interface LineParser {
  /**
   * Parses the next piece of text. Lines end with LF, CR or both.
   * @returns number of complete lines @throws RangeError if a line is too long
   */
  push(chunk: string): number;
}

/** @param maxLength maximum UTF-16 units of an unfinished line */
export function createLineParser(maxLength: () => number, onLine: (line: string) => void): LineParser {
  let rest = '';
  /** `rest` ends in a carriage return, which may be half of a line break. */
  let isSplit = false;
  return {
    push(chunk) {
      if (rest.length + chunk.length > maxLength() && !/[\r\n]/.test(chunk)) throw tooLarge();
      rest += chunk;
      // A long line in small pieces is scanned once.
      if (!isSplit && !/[\r\n]/.test(chunk)) return 0;
      isSplit = chunk.endsWith('\r');
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
      if (rest.length > maxLength()) throw tooLarge();
      return lines.length;
    },
  };
}

export function tooLarge(): RangeError {
  return new RangeError('The message is too large.');
}
