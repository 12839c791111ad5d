import { createRoot } from 'react-dom/client';
import type { MantineThemeOverride } from '@mantine/core';
import { AppProvider } from './AppProvider.tsx';
import { setProduct } from './title.ts';
import { createQueryClient } from './query-cache.ts';

interface MountOptions {
  /** Product name, shown in the tab's title after the screen's. */
  product: string;
  cache?: ReturnType<typeof createQueryClient>;
  theme?: MantineThemeOverride;
}

/** Renders an application into `#root` of its index.html; throws without such an element. */
export function mountApp(
  app: React.ReactNode,
  { product, cache = createQueryClient(), theme }: MountOptions,
): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no element with the id "root".');
  setProduct(product);
  createRoot(root).render(
    <AppProvider cache={cache} {...(theme && { appTheme: theme })}>
      {app}
    </AppProvider>,
  );
}
