/** A Vite plugin that compiles the message catalogs, so that pages load a small formatter instead of ICU's parser. */
import compile from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import type { Plugin } from 'vite';

const CATALOG = /\/src\/messages\/(?:en|de)\/(?!index\.|more\.)[\w-]+\.ts$/;

/** Messages by name, in groups. */
export interface Texts {
  [name: string]: string | Texts;
}

interface CompiledTexts {
  [name: string]: CompiledMessage | CompiledTexts;
}

/** @see https://next-intl.dev/docs/usage/plugin#messages-precompile */
export function compiledMessages(): Plugin {
  return {
    name: 'compiled-messages',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      resolve: {
        alias: [{ find: /^use-intl\/format-message$/, replacement: 'use-intl/format-message/format-only' }],
      },
    }),
    async load(id) {
      if (!CATALOG.test(id)) return null;
      const catalogs = Object.entries((await import(id)) as Record<string, Texts>);
      return catalogs.map(([name, texts]) => `export const ${name} = ${JSON.stringify(compiled(texts))};\n`).join('');
    },
  };
}

/** @throws SyntaxError if a message is not valid */
export function compiled(texts: Texts): CompiledTexts {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, typeof text === 'string' ? compile(text) : compiled(text)]),
  );
}
