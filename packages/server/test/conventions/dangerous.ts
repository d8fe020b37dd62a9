/** Rules against code that would be dangerous wherever it is. */
import type { SourceFile } from './tree.ts';

type Find = (files: readonly SourceFile[]) => string[];

const inSource = ({ path }: SourceFile) => /^(?:packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path);

/** Programs and markup that are made from text, and modules whose name is computed. */
const DYNAMIC =
  /\beval\(|\bnew Function\b|(?<![.\w])Function\(|\bset(?:Timeout|Interval)\(\s*['"`]|\bimport\((?!\s*')|\b(?:inner|outer)HTML\b|\bdangerouslySetInnerHTML\b|\bdocument\.write\b/;

export const dynamicCode: Find = (files) =>
  files
    .filter(inSource)
    .filter(({ bare, imports }) => DYNAMIC.test(bare) || imports.some(({ to }) => /^(?:node:)?vm$/.test(to)))
    .map(({ path }) => `${path} runs text as code`);

/** What `Math.random` may decide. Everything else needs `node:crypto`. */
const GUESSABLE: Readonly<Record<string, string>> = {
  'packages/server/src/publishing/wiring.ts': 'pauses between attempts',
  'packages/server/src/watching/wiring.ts': 'pauses between attempts',
  'packages/server/src/accounts/profile/profile-service.ts': 'when a profile is read again',
  'packages/server/src/accounts/connect/account-writer.ts': 'when a profile is read again',
  'packages/server/src/accounts/tokens/token-service.ts': 'when a token is refreshed',
  'packages/server/src/accounts/tokens/token-store.ts': 'when a token is refreshed',
  'packages/server/src/accounts/tokens/token-revocation.ts': 'pauses between attempts',
  'packages/server/src/db/cluster-lock.ts': 'the name of a file in a private folder',
  'packages/sandbox/src/platforms/tiktok/consent.ts': 'the end of a code, whose beginning is random',
  'packages/sdk/src/events.ts': 'pauses between attempts',
};

export const guessableValues: Find = (files) =>
  files
    .filter((file) => inSource(file) && !(file.path in GUESSABLE) && /\bMath\s*\.\s*random\b/.test(file.bare))
    .map(({ path }) => `${path} uses Math.random: take node:crypto, or say what may be guessed`);

const CREDENTIALS =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+\w|\brly_[0-9A-Za-z]{46}\b|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}\b|\bxox[bp]-[\w-]{20}|\bAIza[\w-]{35}\b/g;
/** The key of the documentation and of examples. It belongs to nobody. */
const EXAMPLE_KEY = 'rly_7Gh2kQ0xV5mN8pRtYw3zA6bC9dE1fJ4hK2lM7nP04KtRjt';

export const storedCredentials: Find = (files) =>
  files
    .filter(({ text }) => [...text.matchAll(CREDENTIALS)].some(([found]) => found !== EXAMPLE_KEY))
    .map(({ path }) => `${path} contains a credential`);

interface LockEntry {
  link?: boolean;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
}

/** Binaries of development tools for other systems are exempt: see the findings of SECURITY.md. */
const isForeignBinary = ({ dev, optional, os }: LockEntry) => Boolean(dev && optional && os);

/** Npm refuses a package whose bytes do not have the hash. */
export const unhashedPackages: Find = (files) =>
  files
    .filter(({ path }) => path === 'package-lock.json')
    .flatMap(({ text }) => Object.entries((JSON.parse(text) as { packages: Record<string, LockEntry> }).packages))
    .filter(([place, { link }]) => place.includes('node_modules/') && !link)
    .filter(([, entry]) => !entry.integrity?.startsWith('sha512-') && !isForeignBinary(entry))
    .map(([place]) => `package-lock.json has no hash of ${place}`);
