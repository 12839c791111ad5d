import { Button, Group } from '@mantine/core';
import { porting } from '#contract';
import { confirm, t, useApiMutation } from '#ui';

/** Edits or cancels a port request, as long as it isn't completed or canceled. */
export function PortActions({
  port,
  edit,
}: {
  port: porting.PortRequest;
  edit: (id: number) => void;
}) {
  const cancel = useApiMutation(porting.cancelPort, {
    invalidates: [porting.listPorts, porting.portStats, porting.getPort],
    success: t('Port request canceled'),
  });
  const askToCancel = async (): Promise<void> => {
    if (
      await confirm({
        title: t('Cancel this port request?'),
        body: t('The numbers stay with {carrier}. To port them later, submit a new request.', {
          carrier: port.losing_carrier || t('their carrier'),
        }),
        confirmLabel: t('Cancel request'),
        cancelLabel: t('Keep it'),
        danger: true,
      })
    )
      await cancel.mutate({ params: { id: port.id }, body: {} });
  };
  if (porting.isPortFinal(port.status)) return null;
  const canEditDetails = porting.isPortEditable(port.status) && port.status !== 'pending';
  return (
    <Group>
      {canEditDetails && (
        <Button variant="default" onClick={() => edit(port.id)}>
          {t('Edit details')}
        </Button>
      )}
      <Button
        color="red"
        variant="subtle"
        loading={cancel.isPending}
        onClick={() => void askToCancel()}
      >
        {t('Cancel request')}
      </Button>
    </Group>
  );
}
