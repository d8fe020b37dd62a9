/** nginx, which many people run before Reelay. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Debian installs it where the PATH of a normal user does not lead. */
const PROGRAM = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);

/** The Debian package that is missing; null if nginx can run. */
export const missingNginx = PROGRAM ? null : 'nginx';

/** As `docs/operate/first-start.md` describes it, or with nginx's own limit of 1 MiB for bodies. */
export type NginxForm = 'documented' | 'default';

const SETTINGS: Readonly<Record<NginxForm, string>> = {
  documented: 'client_max_body_size 526m; proxy_request_buffering off; proxy_read_timeout 1h;',
  default: '',
};

export interface Nginx {
  url: string;
  close(): Promise<void>;
}

/** @param folder for its files; must exist @throws Error if it does not start */
export async function startNginx(target: string, folder: string, form: NginxForm): Promise<Nginx> {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ');
  const config = join(folder, 'nginx.conf');
  await writeFile(
    config,
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr; events {}
    http { access_log off; ${temporary} ${SETTINGS[form]}
      server { listen 127.0.0.1:${port};
        location / { proxy_pass ${target}; proxy_http_version 1.1; proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme; } } }`,
  );
  const child = spawn(PROGRAM ?? 'nginx', ['-p', folder, '-c', config, '-e', 'stderr'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/health/live`).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}.`);
    await pause(20);
  }
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
