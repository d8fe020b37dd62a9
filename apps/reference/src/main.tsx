/** The composition root of the API reference. */
import '@mantine/core/styles.layer.css';
import '@reelay/web/app/global.css';
import { ThemeProvider } from '@reelay/web/app/theme.tsx';
import { loadReferenceCatalog } from '@reelay/web/messages/reference.ts';
import { tolerateForeignChanges } from '@reelay/web/ui/foreign-changes.ts';
import { LanguageProvider, loadLanguage } from '@reelay/web/ui/language.tsx';
import { createRoot } from 'react-dom/client';
import { Reference } from './reference.tsx';

tolerateForeignChanges();
const root = document.getElementById('root');
void loadLanguage(loadReferenceCatalog).then((language) => {
  if (root)
    createRoot(root).render(
      <ThemeProvider>
        <LanguageProvider initial={language} loadCatalog={loadReferenceCatalog}>
          <Reference />
        </LanguageProvider>
      </ThemeProvider>,
    );
});
