/** The composition root of the dashboard. */
import '@mantine/core/styles.layer.css';
import './app/global.css';
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
import { tolerateForeignChanges } from './ui/foreign-changes.ts';
import { currentLanguage, loadLanguage } from './ui/language.tsx';

tolerateForeignChanges();
const send = withEarly(window.early, (...request) => fetch(...request));
const client = createServiceClient(window.location.origin, currentLanguage, send);
const queries = createQueries();
const workspaceOf = createWorkspaces(openWorkspace(client.uploads, (uploadId) => isPosting(queries, uploadId)));
const router = createAppRouter({ client, queries, workspaceOf });
const root = document.getElementById('root');
if (root) removeFirstPaint(root);
// Not awaited at the top level: the pages import from this module's chunk, which would wait for them.
void loadLanguage(loadCatalog).then((language) => {
  if (root) createRoot(root).render(<App client={client} queries={queries} router={router} language={language} />);
});
installServiceWorker();
