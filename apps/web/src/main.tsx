/** The composition root of the dashboard. */
import '@mantine/core/styles.layer.css';
import '@mantine/dropzone/styles.layer.css';
import './app/global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createQueries } from './app/queries.ts';
import { createAppRouter } from './app/router.tsx';
import { createServiceClient } from './service/service-client.ts';

const client = createServiceClient(window.location.origin);
const queries = createQueries();
const router = createAppRouter({ client, queries });
const root = document.getElementById('root');
if (root) createRoot(root).render(<App client={client} queries={queries} router={router} />);
