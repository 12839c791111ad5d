/**
 * What runs in a thread of its own (platform/worker-thread.ts): reading input from outside,
 * drawing documents. A task's code is loaded when it
 * is first asked for, and nothing else of the product with it.
 */
const tasks = {
  readVcards: async () => (await import('./modules/contacts/cards/read-cards.ts')).readCards,
  readContactFile: async () =>
    (await import('./modules/contacts/importing/read-contact-file.ts')).readContactFile,
  inspectRecording: async () =>
    (await import('./modules/calls/recordings/inspect-recording.ts')).inspectBytes,
  splitRecording: async () => (await import('./platform/audio/split-recording.ts')).splitRecording,
  renderInvoice: async () =>
    (await import('./modules/billing/invoices/render-invoice.ts')).renderInvoice,
  renderLetter: async () => (await import('./modules/porting/render-letter.ts')).renderLetter,
  renderReportDocument: async () =>
    (await import('./modules/analytics/report-files/render-document.ts')).renderReportDocument,
  readSound: async () => {
    const { decodeSound: soundOfFile } =
      await import('./modules/routing/greetings/telephone-sound.ts');
    return (bytes: Uint8Array): Promise<unknown> =>
      soundOfFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  },
};

/** Run one of them; whatever it throws arrives with the asker. */
export default async function runTask({
  task,
  input,
}: {
  task: keyof typeof tasks;
  input: never;
}): Promise<unknown> {
  const work = await tasks[task]();
  return work(input);
}
