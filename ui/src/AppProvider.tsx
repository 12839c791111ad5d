import { lazy, Suspense, useEffect, useState } from 'react';
import { MantineProvider, type MantineThemeOverride } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { theme, variables } from './theme.ts';
import { Toasts } from './Toasts.tsx';
import { Dialogs } from './components/Dialogs.tsx';
import { importWithRetry } from './components/Lazy.tsx';
import { batchStore } from './batches.ts';
import { printLight } from './print-light.ts';
import { restoreFocus } from './restore-focus.ts';
import { startShortcuts } from './shortcuts.ts';
import { useStore } from './store.ts';
import { t } from './i18n.ts';
import './base.css';

/**
 * The style nonce of the server's Content-Security-Policy, from `<meta name="csp-nonce"
 * content="…">`.
 */
const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** Provides theme, query cache, toasts, dialogs, job progress and shortcuts; wraps every app. */
export function AppProvider({
  cache,
  appTheme = theme,
  children,
}: {
  cache: QueryClient;
  /** The kit's theme by default. */
  appTheme?: MantineThemeOverride;
  children: React.ReactNode;
}) {
  useEffect(startShortcuts, []);
  useEffect(restoreFocus, []);
  useEffect(printLight, []);
  const [styleNonce] = useState(nonce);
  return (
    <MantineProvider
      theme={appTheme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      {...(styleNonce && { getStyleNonce: () => styleNonce })}
    >
      <QueryClientProvider client={cache}>
        <Toasts />
        {children}
        <div id="floating" role="region" aria-label={t('Open windows')} />
        <Dialogs />
        <RunningJobs />
      </QueryClientProvider>
    </MantineProvider>
  );
}

const ProgressTray = lazy(() => importWithRetry(() => import('./components/ProgressTray.tsx')));

/** The tray of long-running jobs, whose code is loaded with the first of them. */
function RunningJobs() {
  const hasJobs = useStore(batchStore, (s) => s.batches.length > 0);
  return (
    hasJobs && (
      <Suspense>
        <ProgressTray />
      </Suspense>
    )
  );
}
