import { useRef, useState } from 'react';
import { Button, Text } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { sso, type Answer } from '#contract';
import { t, useApiMutation } from '#ui';
import { safeNextPath } from '../../shared/next-path.ts';

type Way = Answer<typeof sso.findSso>['data'];

/** The organization that signs in people with an address; asked once for each domain. */
export function useSsoWay(): { way: Way; find: (email: string) => void } {
  const [way, setWay] = useState<Way>(null);
  const asked = useRef('');
  const { mutate } = useApiMutation(sso.findSso, {
    retryOn429: false,
    // The password works all the same.
    silent: true,
    onSuccess: ({ data }) => setWay(data),
  });
  const find = (email: string): void => {
    const domain = /@([^@\s]+\.[^@\s.]{2,})\s*$/.exec(email)?.[1]?.toLowerCase() ?? '';
    if (domain === asked.current) return;
    asked.current = domain;
    setWay(null);
    if (domain) void mutate({ body: { email: email.trim() } });
  };
  return { way, find };
}

/** The way in through one's organization. Nothing for addresses of none. */
export function SsoButton({ way }: { way: Way }) {
  if (!way) return null;
  const query = new URLSearchParams({ next: safeNextPath(window.location.search) });
  return (
    <>
      {way.is_required && (
        <Text fz="sm" c="dimmed">
          {t('{organization} lets its people in only this way.', {
            organization: way.organization,
          })}
        </Text>
      )}
      <Button
        component="a"
        href={`${way.url}?${query.toString()}`}
        variant="default"
        fullWidth
        leftSection={<IconBuilding size={16} aria-hidden />}
      >
        {t('Continue with {provider}', { provider: way.organization })}
      </Button>
    </>
  );
}
