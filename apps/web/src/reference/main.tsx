/** The composition root of the API reference. */
import '@mantine/core/styles.layer.css';
import '../app/global.css';
import { createRoot } from 'react-dom/client';
import { ThemeProvider } from '../app/theme.tsx';
import { loadReferenceCatalog } from '../messages/reference.ts';
import { LanguageProvider, loadLanguage } from '../ui/language.tsx';
import { Reference } from './reference.tsx';

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
