import { useState } from 'react';
import { Button, Divider, Stack } from '@mantine/core';
import { IconBrandApple, IconBrandGoogle } from '@tabler/icons-react';
import { caddy } from '#contract';
import type { IdentityProviderName } from '#contract/caddy/rules';
import { ApiError, t, useApiQuery } from '#ui';
import { FormError } from '../FormError.tsx';
import { visitProvider } from './provider-visit.ts';
import type { SignInMode } from './use-code-sign-in.ts';

const icons: Record<IdentityProviderName, typeof IconBrandGoogle> = {
  google: IconBrandGoogle,
  apple: IconBrandApple,
};

/** Ways in through others; nothing where none is set up. */
export function ProviderButtons({ mode }: { mode: SignInMode }) {
  const { response } = useApiQuery(
    caddy.listCaddyProviders,
    {},
    { silent: true, staleTime: Infinity },
  );
  const [leavingFor, setLeavingFor] = useState<string | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  if (!response?.data.length) return null;
  return (
    <Stack gap="sm" mt="md">
      <Divider label={t('or')} />
      <FormError error={error} />
      {response.data.map((one) => {
        const Icon = icons[one.provider];
        return (
          <Button
            key={one.provider}
            variant="default"
            size="md"
            fullWidth
            leftSection={<Icon size={18} aria-hidden />}
            loading={leavingFor === one.provider}
            disabled={leavingFor !== null && leavingFor !== one.provider}
            onClick={() => {
              setError(null);
              setLeavingFor(one.provider);
              visitProvider(one, mode).catch((problem: unknown) => {
                setLeavingFor(null);
                if (!(problem instanceof ApiError)) throw problem;
                setError(problem);
              });
            }}
          >
            {t('Continue with {provider}', { provider: one.label })}
          </Button>
        );
      })}
    </Stack>
  );
}
