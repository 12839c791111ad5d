import { Skeleton, Stack } from '@mantine/core';
import { SettingsFrame } from '../shared/SettingsFrame.tsx';

/** A settings page whose code is still on its way: its title, and the list of pages beside it. */
export default function WaitingTab(props: { row: 'settings' | 'organization'; title: string }) {
  return (
    <SettingsFrame {...props} layout="read">
      <Stack aria-busy>
        <Skeleton height={120} />
        <Skeleton height={120} />
      </Stack>
    </SettingsFrame>
  );
}
