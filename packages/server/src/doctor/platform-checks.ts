/** Doctor checks per platform: whether accounts can be connected, by which application and with which redirect URI. */
import { type Apps, createApps } from '../accounts/apps/app-store.ts';
import { checkApplications, reachProblem, setupOf, spellingProblem } from '../accounts/apps/platform-setup.ts';
import type { Config } from '../config/config.ts';
import { endpointsWith, variableOf } from '../config/settings.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import { FINDING } from '../messages/doctor.ts';
import type { HttpClient } from '../outbound/http-client.ts';
import type { Sealer } from '../seal.ts';
import type { Finding } from './finding.ts';

export interface PlatformDeps {
  config: Pick<Config, 'apps' | 'publicUrl' | 'settings'>;
  db: Database;
  sealer: Sealer;
  connectors: Readonly<Record<string, Connector>>;
  http: HttpClient;
}

/**
 * Returns findings per platform, application and platform setting. A platform without an application and without
 * accounts is only a note. A platform with connected accounts is probed, and so are configured applications.
 */
export async function platformFindings({ config, db, sealer, connectors, http }: PlatformDeps): Promise<Finding[]> {
  const apps = createApps({ db, sealer }, config.apps);
  await apps.refresh();
  const rows = await db.query<{ platform: string; count: number }>(
    `select platform, count(*) as count from account where status = 'CONNECTED' and not sandbox group by platform`,
  );
  const accounts = new Map(rows.map(({ platform, count }) => [platform, count]));
  const settings = { apps, given: config.apps, publicUrl: config.publicUrl };
  const findings = Object.values(connectors).map(async (connector): Promise<Finding[]> => {
    const used = accounts.get(connector.id) ?? 0;
    const found = findingOf(connector, settings, used);
    const endpoints = endpointsWith(connector.endpoints, config.settings[connector.id]);
    const probed = { ...connector, endpoints };
    const ofApplications = found.verdict === 'fail' ? [] : await applicationFindings(probed, settings, http);
    // A federated platform has no servers of its own: they belong to its users.
    if (used === 0 || connector.federated || found.verdict !== 'ok') return [found, ...ofApplications];
    const problem = await reachProblem(probed, http);
    return [problem ? { verdict: 'fail', text: problem } : found, ...ofApplications];
  });
  const said = Object.values(connectors).map((connector) => settingFindings(connector, config.settings, http));
  return [...(await Promise.all(findings)), ...(await Promise.all(said))].flat();
}

const VERDICTS = { verified: 'ok', rejected: 'fail', unverified: 'note' } as const;

/** Asks the platform about each configured application, and names its scopes and the platform's review. */
export async function applicationFindings(
  connector: Pick<Connector, 'id' | 'name' | 'oauth' | 'endpoints' | 'registration'>,
  settings: { apps: Pick<Apps, 'find' | 'source'>; publicUrl: string },
  http: HttpClient,
): Promise<Finding[]> {
  const { apps } = settings;
  const { name, applications, review } = setupOf(connector, settings);
  const checks = await checkApplications(connector, { apps, http, endpoints: connector.endpoints });
  const findings = applications.flatMap(({ name: app, variables: [variable = app], scopes }): Finding[] => {
    const check = checks[app];
    if (!check) return [];
    const text = FINDING.applicationChecked(name, variable, check.message.text);
    return [
      { verdict: VERDICTS[check.verdict], text },
      { verdict: 'note', text: FINDING.applicationScopes(name, variable, scopes.join(', ')) },
    ];
  });
  if (findings.length === 0 || !review) return findings;
  return [...findings, { verdict: 'note', text: FINDING.applicationReview(name, review) }];
}

/** Reports the settings of one platform. URLs are probed. */
async function settingFindings(
  { id, name, endpoints }: Pick<Connector, 'id' | 'name' | 'endpoints'>,
  settings: Config['settings'],
  http: HttpClient,
): Promise<Finding[]> {
  const found = Object.entries(settings[id] ?? {}).map(async ([setting, value]): Promise<Finding> => {
    const variable = variableOf(id, setting);
    const endpoint = Object.keys(endpoints).find((each) => setting === `${each}Url`);
    if (endpoint === undefined) return { verdict: 'ok', text: FINDING.settingSet(name, variable) };
    const problem = await reachProblem({ name, endpoints: { [endpoint]: value } }, http);
    if (!problem) return { verdict: 'ok', text: FINDING.settingResponds(name, variable) };
    const isPrivate = /private_address|not_https/.test(problem);
    return { verdict: 'fail', text: FINDING.settingFails(variable, problem, isPrivate) };
  });
  return Promise.all(found);
}

/**
 * Pure.
 * @param accounts number of connected accounts, without sandbox accounts
 */
export function findingOf(
  connector: Pick<Connector, 'id' | 'name' | 'oauth' | 'fetchesMedia'>,
  settings: { apps: Pick<Apps, 'source'>; given: Config['apps']; publicUrl: string },
  accounts: number,
): Finding {
  const { name, applications, configured, redirectUri, by, problem } = setupOf(connector, settings);
  if (by === 'login') return { verdict: 'ok', text: FINDING.loginOnly(name) };
  if (applications.length === 0) return { verdict: 'ok', text: FINDING.noApplicationNeeded(name, redirectUri) };
  for (const { name: app, variables } of applications) {
    const given = settings.given[app] ?? {};
    const spelling = spellingProblem(app, given);
    if (spelling) return { verdict: 'fail', text: FINDING.applicationInvalid(name, spelling) };
    const { id, secret } = given;
    const half = id ? 'secret' : 'id';
    if (Boolean(id) !== Boolean(secret))
      return { verdict: 'fail', text: FINDING.applicationIncomplete(name, half, variables.join(', ')) };
  }
  const names = applications.map(({ variables }) => variables[0]).join(' or ');
  if (configured && problem) return { verdict: accounts > 0 ? 'fail' : 'note', text: problem };
  if (configured) return { verdict: 'ok', text: FINDING.applicationConfigured(name, names, redirectUri) };
  if (accounts > 0) return { verdict: 'fail', text: FINDING.applicationLost(name, accounts, names) };
  return { verdict: 'note', text: FINDING.applicationMissing(name, names, redirectUri) };
}
