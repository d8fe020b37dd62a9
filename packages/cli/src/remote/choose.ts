/** Interactive choice from a list. Uses standard error, so that standard output contains only results. */
import checkbox from '@inquirer/checkbox';
import { TEXT } from '../messages.ts';
import { Interrupted, safe } from '../output.ts';

export interface Choice {
  value: string;
  name: string;
  checked: boolean;
  /** The reason why it cannot be chosen; false if it can. */
  disabled: string | false;
}

/** A terminal. */
export interface Terminal {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
}

/**
 * Lets the user check entries of a list.
 * @returns the values of the checked entries
 * @throws Interrupted on Ctrl-C
 */
export async function choose(
  choices: readonly Choice[],
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string[]> {
  const sanitized = choices.map((each) => ({
    ...each,
    name: safe(each.name),
    disabled: each.disabled && safe(each.disabled),
  }));
  try {
    return await checkbox(
      { message: TEXT.chooseCatalog, choices: sanitized, pageSize: 15, loop: false },
      { ...terminal, clearPromptOnDone: true },
    );
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new Interrupted(TEXT.interruptedWhileChoosing);
    throw error;
  }
}
