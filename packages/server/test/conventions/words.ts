/** Forbidden words. Patterns that would match themselves are concatenated here. */
import type { SourceFile } from './tree.ts';

type Find = (files: readonly SourceFile[]) => string[];

/** A channel for notifications may be a chat that is also a platform. */
const GENERIC_EXCEPTIONS =
  /^packages\/(?:server\/src\/(?:connectors\/[^/]+\/|channels\/|connectors\/(?:registry|loaders)\.ts$|config\/)|sandbox\/src\/(?:platforms\/|registry\.ts$))/;
/** Names that are also ordinary words count only where something is compared with them. */
const PLAIN = [
  'tiktok',
  'youtube',
  'instagram',
  'facebook',
  'linkedin',
  'pinterest',
  'snapchat',
  'bluesky',
  'mastodon',
  'telegram',
];
const NAMED = new RegExp(`\\b(?:${PLAIN.join('|')})(?![\\w-]*:)`, 'i');
const COMPARED = /(?:===|!==|\bcase|\bincludes\() *'(?:x|threads)'/;

/** Comments and the API documentation may contain examples. */
export const namedPlatforms: Find = (files) =>
  files
    .filter(({ path }) => /^packages\/(?:server|sandbox)\/src\/.*\.ts$/.test(path) && !GENERIC_EXCEPTIONS.test(path))
    .flatMap((file) =>
      file.code
        .replace(/examples?: (?:\[[^\]]*\]|'[^']*')/g, '')
        .split('\n')
        .flatMap((line) =>
          NAMED.test(line) || COMPARED.test(line) ? [`${file.path} names a platform: ${line.trim()}`] : [],
        ),
    );

const word = (...parts: string[]) => parts.join('');
const LEFT_FOR_LATER = new RegExp(
  `\\b(?:${[word('TO', 'DO'), word('FIX', 'ME'), word('X', 'XX'), word('HA', 'CK')].join('|')})\\b`,
);
const FOREIGN = [
  new RegExp(['/wo', 'rk/'].join('')),
  new RegExp(['/fa', 'rm/'].join('')),
  new RegExp(['/ro', 'ot/'].join('')),
  new RegExp(['/ho', 'me/\\w'].join('')),
  new RegExp(['(?<![-\\w])sha', 'red/'].join('')),
  new RegExp(['(?:COMP', 'ASS|DEVELOP', 'ERS\\.md|closing no', 'te)'].join('')),
];

export const leftForLater: Find = (files) => found(files, LEFT_FOR_LATER, 'is left for later');

/** Paths of one machine, and words that mean nothing to a reader of the repository. */
export const foreignWords: Find = (files) => FOREIGN.flatMap((pattern) => found(files, pattern, 'means nothing here'));

/** Lock files must not record the registry that packages were fetched from. */
export const registryHosts: Find = (files) =>
  files
    .filter(({ path, text }) => /package-lock\.json$/.test(path) && /"resolved": *"https?:/.test(text))
    .map(({ path }) => `${path} names a registry`);

function found(files: readonly SourceFile[], pattern: RegExp, says: string): string[] {
  return files
    .filter(({ path }) => !/package-lock\.json$/.test(path))
    .flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(line) ? [`${path}:${index + 1} ${says}: ${line.trim().slice(0, 80)}`] : [],
        ),
    );
}
