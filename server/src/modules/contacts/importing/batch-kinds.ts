import { z } from 'zod';
import { batchKind } from '../../../platform/batch-kind.ts';

const ofImport = z.object({ importId: z.number() });
/** Batches of imports and of undoing them. */
export const importKind = batchKind('contact-import', ofImport);
export const undoKind = batchKind('contact-import-undo', ofImport);
