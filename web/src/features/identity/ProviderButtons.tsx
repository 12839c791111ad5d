import { Button, Divider, Stack } from '@mantine/core';
import { IconBrandGoogle, IconBrandWindows, IconKey } from '@tabler/icons-react';
import { externalSignIn } from '#contract';
import { t, useApiQuery } from '#ui';
import { safeNextPath } from '../../shared/next-path.ts';

const icons: Record<string, typeof IconKey> = {
  google: IconBrandGoogle,
  microsoft: IconBrandWindows,
};

/** The picture of a provider of identities. */
export function ProviderIcon({ provider, size = 16 }: { provider: string; size?: number }) {
  const Icon = icons[provider] ?? IconKey;
  return <Icon size={size} aria-hidden />;
}

/** The address at which the browser leaves for a provider. `next`: the page to open afterwards. */
const providerHref = (provider: string, next: string): string =>
  `/api/oauth/${provider}/redirect?${new URLSearchParams({ next }).toString()}`;

/** Ways in through others; nothing where none is set up. */
export function ProviderButtons() {
  const { response } = useApiQuery(
    externalSignIn.listSignInProviders,
    {},
    { staleTime: Infinity, silent: true, skipsSessionCheck: true },
  );
  // Admin mode begins with our own sign-in page.
  const isAdmin = new URLSearchParams(window.location.search).get('admin') === '1';
  if (!response?.data.length || isAdmin) return null;
  const next = safeNextPath(window.location.search);
  return (
    <Stack gap="sm">
      <Divider label={t('or')} />
      {response.data.map(({ provider, label }) => (
        <Button
          key={provider}
          component="a"
          href={providerHref(provider, next)}
          variant="default"
          fullWidth
          leftSection={<ProviderIcon provider={provider} />}
        >
          {t('Continue with {provider}', { provider: label })}
        </Button>
      ))}
    </Stack>
  );
}
