import { useForm } from '@mantine/form';
import { expect, test } from 'vitest';
import { porting, routing } from '#contract';
import { RecordingFields } from '../src/features/numbers/details/RecordingFields.tsx';
import { valuesOf } from '../src/features/numbers/details/settings-values.ts';
import { PortDocuments } from '../src/features/porting/PortDocuments.tsx';
import { toast } from '#ui';
import { errorReply, exampleAnswer, mockReply, renderScreen, screen, waitFor } from './screen.tsx';

const { data: number } = exampleAnswer(routing.getNumber);
const { data: port } = exampleAnswer(porting.getPort);

function Recording() {
  const form = useForm({ initialValues: { ...valuesOf(number), record: true } });
  return <RecordingFields form={form} mayEdit />;
}

test('recordings are kept between 30 and 3,650 days, as the input and its text say', async () => {
  const { user } = renderScreen(<Recording />);
  // Its placeholder, shown until the input is loaded, is read-only.
  const days = await waitFor(() => {
    const input = screen.getByRole('textbox', { name: 'Keep recordings for' });
    expect(input).toHaveProperty('readOnly', false);
    return input;
  });
  screen.getByText('30 to 3,650 days. Leave empty to use the company setting.');
  await user.type(days, '31');
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(days).toHaveProperty('value', '30 days');
});

test('a document that can’t be removed shows one toast, with the reason', async () => {
  mockReply(porting.removePortDocument, errorReply(409, { message: 'It was submitted already.' }));
  const document = {
    id: 8,
    kind: 'bill' as const,
    name: 'bill.pdf',
    mime: 'application/pdf',
    size: 1200,
    bill_date: null,
    uploaded_at: '2026-11-20T09:00:00.000Z',
    url: null,
  };
  const { user } = renderScreen(
    <PortDocuments port={{ ...port, documents: [document] }} kinds={['bill']} mayEdit />,
  );
  const shown = new Set<number>();
  const stop = toast.store.subscribe(() => {
    const { notice } = toast.store.get();
    if (notice) shown.add(notice.id);
  });
  const button = await screen.findByRole('button', { name: 'Remove bill.pdf' });
  await user.click(button);
  await waitFor(() => expect(toast.store.get().notice?.type).toBe('danger'));
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  stop();
  expect(shown.size).toBe(1);
});
