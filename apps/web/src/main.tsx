/** The composition root of the dashboard. */
import '@mantine/core/styles.layer.css';
import './app/global.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createQueries } from './app/query-client.ts';
import { createAppRouter } from './app/router.tsx';
import { installServiceWorker } from './app/service-worker.ts';
import { isPosting } from './drafts/posting.ts';
import { createWorkspaces, openWorkspace } from './drafts/workspace.ts';
import { withEarly } from './first-paint/early-requests.ts';
import { removeFirstPaint } from './first-paint/remove.ts';
import { loadCatalog } from './messages/index.ts';
import { createServiceClient } from './queries/client.ts';
import { browserZone } from './time/zone-time.ts';
import { tolerateForeignChanges } from './ui/foreign-changes.ts';
import { currentLanguage, loadLanguage } from './ui/language.tsx';

/** How long the first rendering waits for its page, in ms. Then the frame is rendered without it. */
const PENDING_MS = 1_000;

tolerateForeignChanges();
const send = withEarly(window.early, (...request) => fetch(...request));
const client = createServiceClient(window.location.origin, currentLanguage, send);
const queries = createQueries();
const workspaceOf = createWorkspaces(openWorkspace(client.uploads, (uploadId) => isPosting(queries, uploadId)));
const root = document.getElementById('root');
if (root) removeFirstPaint(root);
// Not awaited at the top level: the pages import from this module's chunk, which would wait for them.
void start();
installServiceWorker();

async function start(): Promise<void> {
  const loaded = loadLanguage(loadCatalog);
  // On a phone, each of these steps takes a tenth of a second, so the browser may respond to the user in between.
  await nextTask();
  const router = createAppRouter({ client, queries, workspaceOf, firstStream: window.early?.stream ?? undefined });
  await nextTask();
  // The first question for it is slow.
  browserZone();
  await nextTask();
  const pending = new Promise((over) => setTimeout(over, PENDING_MS));
  const [language] = await Promise.all([loaded, Promise.race([router.load(), pending])]);
  await nextTask();
  if (!root) return;
  const page = createRoot(root);
  // A transition leaves the browser time for input. The first paint is replaced by the whole page.
  startTransition(() => page.render(<App client={client} queries={queries} router={router} language={language} />));
}

function nextTask(): Promise<void> {
  return new Promise((over) => setTimeout(over));
}
