import { ThemeIcon } from '@mantine/core';
import { IconPhone } from '@tabler/icons-react';

/** Caddy's mark; the name stands beside it. */
export const Mark = ({ size = 28 }: { size?: number }) => (
  <ThemeIcon size={size} radius={8} aria-hidden>
    <IconPhone size={size * 0.65} stroke={2} />
  </ThemeIcon>
);
