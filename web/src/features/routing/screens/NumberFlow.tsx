import { Skeleton } from '@mantine/core';
import { flows, routing } from '#contract';
import { ErrorState, Page, t, useApiQuery } from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { FlowEditor } from '../flow/FlowEditor.tsx';

/** The call flow of one number: canvas, list, description, testing and publishing. */
export default function NumberFlow() {
  const id = useIdParam();
  const asked = { params: { id: id ?? 0 } };
  const flow = useApiQuery(flows.getFlow, asked, {
    enabled: id !== null,
    silent: true,
    refetchOnMount: true,
  });
  const number = useApiQuery(routing.getNumber, asked, { enabled: id !== null, silent: true });
  const error = flow.error ?? number.error;
  if (!flow.response || !number.response) {
    return (
      <Page title={t('Call flow')} back={{ href: `/numbers/${id ?? ''}`, label: t('Number') }}>
        {error || id === null ? (
          <ErrorState
            {...(error && { error })}
            retry={flow.refetch}
            notFound={t('Call flow not found')}
          />
        ) : (
          <Skeleton height={420} />
        )}
      </Page>
    );
  }
  return (
    <FlowEditor
      key={flow.response.data.number_id}
      flow={flow.response.data}
      number={number.response.data.number}
      label={number.response.data.label}
    />
  );
}
