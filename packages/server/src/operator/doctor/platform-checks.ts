/** Doctor checks per platform: whether accounts can be connected, by which application and with which redirect URI. */
import { type Apps, createApps } from '../../accounts/apps/app-store.ts';
import { checkApplications, reachProblem, setupOf, spellingProblem } from '../../accounts/apps/platform-setup.ts';
import type { Config } from '../../config/config.ts';
import { endpointsWith, variableOf } from '../../config/settings.ts';
import type { Connector } from '../../connectors/contract.ts';
import type { Database } from '../../db/database.ts';
import type { Sealer } from '../../lib/encryption/seal.ts';
import { find } from '../../messages/doctor.ts';
import type { HttpClient } from '../../outbound/http-client.ts';
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
    return [problem ? { verdict: 'fail', message: problem } : found, ...ofApplications];
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
    const message = find('application_checked', { platform: name, variable, result: check.message });
    return [
      { verdict: VERDICTS[check.verdict], message },
      {
        verdict: 'note',
        message: find('application_scopes', { platform: name, variable, scopes: scopes.join(', ') }),
      },
    ];
  });
  if (findings.length === 0 || !review) return findings;
  return [...findings, { verdict: 'note', message: find('application_review', { platform: name, review }) }];
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
    if (endpoint === undefined) return { verdict: 'ok', message: find('setting_set', { platform: name, variable }) };
    const problem = await reachProblem({ name, endpoints: { [endpoint]: value } }, http);
    if (!problem) return { verdict: 'ok', message: find('setting_responds', { platform: name, variable }) };
    const isPrivate = /private_address|not_https/.test(problem.text);
    const code = isPrivate ? 'setting_fails_private' : 'setting_fails';
    return { verdict: 'fail', message: find(code, { variable, problem }) };
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
  if (by === 'login') return { verdict: 'ok', message: find('login_only', { platform: name }) };
  const known = { platform: name, redirectUri: redirectUri ?? '' };
  if (applications.length === 0) return { verdict: 'ok', message: find('no_application_needed', known) };
  for (const { name: app, variables } of applications) {
    const given = settings.given[app] ?? {};
    const spelling = spellingProblem(app, given);
    if (spelling)
      return { verdict: 'fail', message: find('application_invalid', { platform: name, problem: spelling }) };
    const { id, secret } = given;
    const lacks = id ? 'application_without_secret' : 'application_without_id';
    if (Boolean(id) !== Boolean(secret))
      return { verdict: 'fail', message: find(lacks, { platform: name, variables: variables.join(', ') }) };
  }
  const names = applications.map(({ variables }) => variables[0]).join(', ');
  if (configured && problem) return { verdict: accounts > 0 ? 'fail' : 'note', message: problem };
  if (configured) return { verdict: 'ok', message: find('application_configured', { ...known, variables: names }) };
  if (accounts > 0)
    return { verdict: 'fail', message: find('application_lost', { platform: name, accounts, variables: names }) };
  return { verdict: 'note', message: find('application_missing', { ...known, variables: names }) };
}
