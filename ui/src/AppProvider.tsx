import { useEffect, useState } from 'react';
import { MantineProvider, type MantineThemeOverride } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { theme, variables } from './theme.ts';
import { Toasts } from './Toasts.tsx';
import { Dialogs } from './components/Dialogs.tsx';
import { ProgressTray } from './components/ProgressTray.tsx';
import { restoreFocus } from './restore-focus.ts';
import { startShortcuts } from './shortcuts.ts';
import { t } from './i18n.ts';
import './base.css';

/** The server may put a style nonce for its Content-Security-Policy into `<meta name="csp-nonce" content="…">`. */
const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** Theme, cache, messages, dialogs, jobs and keys around an app. Every app stands in it. */
export function AppProvider({
  cache,
  appTheme = theme,
  children,
}: {
  cache: QueryClient;
  /** The kit's theme, unless an app has colors of its own. */
  appTheme?: MantineThemeOverride;
  children: React.ReactNode;
}) {
  useEffect(startShortcuts, []);
  useEffect(restoreFocus, []);
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
        <ProgressTray />
      </QueryClientProvider>
    </MantineProvider>
  );
}
