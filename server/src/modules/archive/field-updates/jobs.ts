import { runJob } from '../../../platform/jobs.ts';
import { fieldUpdateJob, undoFieldUpdateJob } from './job-kinds.ts';
import { runFieldUpdate } from './run-field-update.ts';
import { runFieldUpdateUndo } from './undo-field-update.ts';

export const jobs = [
  runJob(fieldUpdateJob, (ctx, { updateId }, attempt) => runFieldUpdate(ctx, updateId, attempt)),
  runJob(undoFieldUpdateJob, (ctx, { updateId }) => runFieldUpdateUndo(ctx, updateId)),
];
