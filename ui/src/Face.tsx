import { useEffect, useState } from 'react';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { theme, variables } from './theme.ts';
import { FlashOutlet } from './flash.tsx';
import { DialogOutlet } from './components/Dialogs.tsx';
import { ProgressTray } from './components/ProgressTray.tsx';
import { giveFocusBack } from './focus-back.ts';
import { hearKeys } from './shortcuts.ts';
import { t } from './words.ts';
import './base.css';

/** The server may put a style nonce for its Content-Security-Policy into `<meta name="csp-nonce" content="…">`. */
const nonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

/** Theme, cache, messages, dialogs, jobs and keys around an app. Both apps stand in it. */
export function Face({ cache, children }: { cache: QueryClient; children: React.ReactNode }) {
  useEffect(hearKeys, []);
  useEffect(giveFocusBack, []);
  const [styleNonce] = useState(nonce);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      {...(styleNonce && { getStyleNonce: () => styleNonce })}
    >
      <QueryClientProvider client={cache}>
        <FlashOutlet />
        {children}
        <div id="floating" role="region" aria-label={t('Open windows')} />
        <DialogOutlet />
        <ProgressTray />
      </QueryClientProvider>
    </MantineProvider>
  );
}
