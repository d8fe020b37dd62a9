#!/usr/bin/env node
/** The command `reelay-sandbox`. */
import { type Command, InvalidArgumentError, program } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { TROUBLE_TAGS } from '../contract.ts';
import { FAULT_KINDS, type FaultRule, parseFault } from '../faults/rules.ts';
import { loadSimulator } from '../registry.ts';
import { startSandbox } from '../standalone/sandbox.ts';

interface Options {
  port: number;
  host: string;
  folder?: string;
  platform?: string[];
  fault?: FaultRule[];
  seed?: string;
  limits?: boolean;
  processing: number;
}

function addOptions(command: Command): Command {
  return command
    .name('reelay-sandbox')
    .description('Serves simulated posting APIs of social platforms, to test integrations against.')
    .version(packageJson.version)
    .option('-p, --port <number>', 'port to listen on; 0 for a free one', wholeNumber, 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('-d, --folder <path>', 'keep accounts, posts and videos in a folder (default: in memory)')
    .option('--platform <name>', 'simulate this platform only; repeatable', collect<string>(String))
    .option('-f, --fault <rule>', 'inject a fault, PLATFORM:KIND[:SHARE]; repeatable', collect(fault))
    .option('-s, --seed <text>', 'repeat the draw of faults that have a share (default: random)')
    .option('--limits', "enforce the platforms' rate limits and daily caps")
    .option('--processing <ms>', 'how long a platform works on a video', wholeNumber, 1_000)
    .allowExcessArguments(false)
    .showHelpAfterError('Run reelay-sandbox --help for the options.')
    .addHelpText('after', HELP);
}

const HELP = `
Platforms: ${Object.keys(loadSimulator).join(', ')}

Faults: PLATFORM is a platform or "all". SHARE is the share of requests from 0 to 1 (default: 1).
  KIND: ${FAULT_KINDS.join(', ')}

A caption can also ask for a fault: ${TROUBLE_TAGS.map((tag) => `#sandbox-${tag}`).join(' ')}

Examples:
  reelay-sandbox --port 4010
  reelay-sandbox --folder ./sandbox --fault all:reset-after:0.05 --seed 7`;

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function fault(text: string): FaultRule {
  try {
    return parseFault(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function collect<T>(read: (text: string) => T): (text: string, earlier: T[] | undefined) => T[] {
  return (text, earlier = []) => [...earlier, read(text)];
}

async function main(options: Options): Promise<void> {
  const { port, host, folder, platform, fault: faults, seed, limits, processing } = options;
  const sandbox = await startSandbox({
    ...{ port, host, folder, platforms: platform, faults, seed, limits },
    processingMs: processing,
    onError: (error) => console.error(error),
  });
  console.log(`Feed:  ${sandbox.url}`);
  console.log(`Application:  ${sandbox.app.clientId}, secret ${sandbox.app.clientSecret}`);
  console.log(`Credentials of accounts:  ${sandbox.url}/credentials`);
  for (const name of sandbox.names) console.log(`${name.padEnd(10)} ${sandbox.platform(name).url}`);
  if (faults?.length) console.log(`Seed:  ${sandbox.seed}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.close());
}

addOptions(program).parse();
main(program.opts<Options>()).catch((error: Error) => {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
});
