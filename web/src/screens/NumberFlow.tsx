import { Skeleton } from '@mantine/core';
import { flows, routing } from '#contract';
import { ErrorState, Page, t, useAsk } from '#ui';
import { useIdParam } from '../app/params.ts';
import { FlowEditor } from '../features/routing/flow/FlowEditor.tsx';

/** The call flow of one number: drawn, listed, told in words, tried and published. */
export default function NumberFlow() {
  const id = useIdParam();
  const asked = { params: { id: id ?? 0 } };
  const flow = useAsk(flows.getFlow, asked, { when: id !== null, quiet: true, fresh: true });
  const number = useAsk(routing.getNumber, asked, { when: id !== null, quiet: true });
  const refusal = flow.refusal ?? number.refusal;
  if (!flow.answer || !number.answer) {
    return (
      <Page title={t('Call flow')} back={{ href: `/numbers/${id ?? ''}`, label: t('Number') }}>
        {refusal || id === null ? (
          <ErrorState
            {...(refusal && { refusal })}
            again={flow.again}
            title={t('This call flow is not here')}
          />
        ) : (
          <Skeleton height={420} />
        )}
      </Page>
    );
  }
  return (
    <FlowEditor
      key={flow.answer.data.number_id}
      flow={flow.answer.data}
      number={number.answer.data.number}
      label={number.answer.data.label}
    />
  );
}
