import { expect, test } from 'vitest';
import { exporting } from '#contract';
import { handleEvent } from '../../ui/src/live.ts';
import { trackBatch } from '#ui';
import { startLive } from '../src/shared/live.ts';
import { exampleAnswer, mockReply, renderScreen, screen, waitFor } from './screen.tsx';

test('a file whose event was missed is offered for download when it is asked after, and only once', async () => {
  const example = exampleAnswer(exporting.exportProgress).data;
  const batchId = '3f0c9b0e-6c1f-4a55-9d3a-0a4f6f1d2b11';
  const resultUrl = '/api/files/9?name=log.csv';
  mockReply(exporting.exportProgress, {
    data: {
      ...example,
      id: batchId,
      progress: 100,
      finishedAt: '2026-11-25T09:15:04.000Z',
      resultUrl,
    },
  });
  renderScreen(<p>Audit log</p>);
  // Its socket waits for the first screen, so no event arrives.
  void startLive(() => {});
  trackBatch({ id: batchId, of: 'exports', label: 'Exporting 3 entries', total: 3 });
  await waitFor(() => screen.getByText('Your file is ready'));
  screen.getByRole('button', { name: 'Download' });
  handleEvent('export-completed', 'private-users.7', {
    event: 'export-completed',
    id: 'e1',
    at: '2026-11-25T09:15:04.000Z',
    companyId: 1,
    seq: 1,
    data: { batchId, userId: 7, resultUrl, progress: 100, total: 3, processed: 3, failed: 0 },
  });
  await waitFor(() => screen.getByText('Done'));
  expect(screen.getAllByText('Your file is ready')).toHaveLength(1);
});
