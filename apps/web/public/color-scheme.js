// Before the first paint: dark pages must not flash.
{
  let chosen;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Forbidden.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
}
