import type { EventData } from '#contract';
import type {
  callEnded,
  callStarted,
  recordingReady,
  transcriptionReady,
  voicemailReceived,
} from '#contract/calls';
import type { TxCtx } from '../../platform/context.ts';
import { linkConversation, wordsOfVoicemail } from '../calls/index.ts';
import { isBlocked } from '../compliance/index.ts';
import { findOrMakeContact } from '../contacts/index.ts';
import { addItem } from './add-item.ts';
import { recount } from './recount.ts';
import { sayUpdated } from './say-updated.ts';
import { bumpConversation, conversationById, openConversation, summaryOf } from './store.ts';
import { changeItem, holdSource, itemBySource, voicemailOfCall } from './store-items.ts';

const ofCall = (callId: number) => `call:${callId}`;
const blocked = 4;
const missed = [2, 3];

/** A call stands in its conversation from its first ring; a blocked caller's only at its end, and quietly. */
export async function callBegan(ctx: TxCtx, c: EventData<typeof callStarted>): Promise<void> {
  if (!c.outbound && (await isBlocked(ctx.tx, ctx.companyId, c.numberId, c.party))) return;
  const added = await addItem(ctx, {
    numberId: c.numberId,
    party: c.party,
    kind: 'call',
    isInbound: !c.outbound,
    at: new Date(c.startedAt),
    source: ofCall(c.callId),
    details: {
      callId: c.callId,
      status: 1,
      outcome: 0,
      duration: 0,
      recordingFileId: null,
      answeredBy: null,
      source: null,
      extensionLabel: null,
    },
  });
  if (added) await linkConversation(ctx, c.callId, added.conversation.id);
}

/** How it ended. Missed and sent to voicemail is unread; answered, placed and blocked is not. Heard twice, or before its beginning, it is the same. */
export async function callEnds(ctx: TxCtx, c: EventData<typeof callEnded>): Promise<void> {
  const quiet = c.outcome === blocked;
  const at = new Date(c.startedAt);
  // Beginning, end and voicemail are heard side by side: the conversation's lock makes them take turns. The contact comes before it, as everywhere.
  const contact = quiet ? null : await findOrMakeContact(ctx, c.party);
  const open = await openConversation(ctx.tx, {
    company_id: ctx.companyId,
    number_id: c.numberId,
    party: c.party,
    contact_id: contact?.id ?? null,
    at,
    archived: quiet,
  });
  // Heard before its beginning, it is linked here; otherwise again, to the same.
  await linkConversation(ctx, c.callId, open.id);
  const details = {
    callId: c.callId,
    status: c.status,
    outcome: c.outcome,
    duration: c.durationSeconds,
    recordingFileId: c.recordingFileId,
    answeredBy: c.answeredBy?.label ?? null,
    source: null,
    extensionLabel: c.extensionLabel,
  };
  const unread =
    !c.outbound &&
    missed.includes(c.outcome) &&
    !(c.outcome === 3 && (await voicemailOfCall(ctx.tx, ctx.companyId, open.id, c.callId)));
  const known = await itemBySource(ctx.tx, ctx.companyId, ofCall(c.callId));
  if (!known) {
    await addItem(ctx, {
      numberId: c.numberId,
      party: c.party,
      kind: 'call',
      isInbound: !c.outbound,
      at,
      source: ofCall(c.callId),
      details,
      unread,
      quiet,
    });
    return;
  }
  if ((known.details as { status: number }).status !== 1) return;
  const recordingFileId =
    c.recordingFileId ?? (known.details as { recordingFileId: number | null }).recordingFileId;
  const changed = await changeItem(ctx.tx, ctx.companyId, known.id, {
    details: JSON.stringify({ ...details, recordingFileId }),
    ...(unread ? { read_at: null } : {}),
  });
  const conversation = await bumpConversation(ctx.tx, ctx.companyId, open.id, {
    itemId: known.id,
    kind: 'call',
    inbound: !c.outbound,
    at: known.created_at,
    details: summaryOf(changed),
    unread,
    restore: false,
    heard: false,
    latest: true,
  });
  await sayUpdated(ctx, 'item_updated', conversation, changed);
}

/** A voicemail is what waits to be heard; the call that left it no longer does. */
export async function voicemailCame(
  ctx: TxCtx,
  v: EventData<typeof voicemailReceived>,
): Promise<void> {
  const source = `voicemail:${v.voicemailId}`;
  // Its words may be told before it is: then they are read here, and `wordsCame` found nothing to change.
  await holdSource(ctx.tx, ctx.companyId, source);
  const words = await wordsOfVoicemail(ctx.tx, ctx.companyId, v.voicemailId);
  const isWritten = words?.state === 'ready';
  const added = await addItem(ctx, {
    numberId: v.numberId,
    party: v.party,
    kind: 'voicemail',
    isInbound: true,
    at: new Date(v.receivedAt),
    unread: true,
    source,
    ...(isWritten ? { text: words.text } : {}),
    details: {
      callId: v.callId,
      voicemailId: v.voicemailId,
      duration: v.durationSeconds,
      fileId: v.fileId,
      transcription: isWritten ? words.text : null,
      transcriptionState:
        words && ['ready', 'failed', 'skipped'].includes(words.state) ? words.state : 'none',
    },
    quiet: await isBlocked(ctx.tx, ctx.companyId, v.numberId, v.party),
  });
  const call = added && (await itemBySource(ctx.tx, ctx.companyId, ofCall(v.callId)));
  if (!call || call.read_at) return;
  const changed = await changeItem(ctx.tx, ctx.companyId, call.id, { read_at: ctx.now });
  const [conversation] = await recount(ctx, [call.conversation_id]);
  await sayUpdated(ctx, 'read', conversation!, changed);
}

export async function recordingCame(
  ctx: TxCtx,
  r: EventData<typeof recordingReady>,
): Promise<void> {
  await change(ctx, ofCall(r.callId), { recordingFileId: r.fileId });
}

/** A voicemail's words can be searched like any text; a call's are the call's own business. */
export async function wordsCame(
  ctx: TxCtx,
  w: EventData<typeof transcriptionReady>,
): Promise<void> {
  if (w.voicemailId === null) return;
  await holdSource(ctx.tx, ctx.companyId, `voicemail:${w.voicemailId}`);
  await change(
    ctx,
    `voicemail:${w.voicemailId}`,
    { transcription: w.state === 'ready' ? w.text : null, transcriptionState: w.state },
    w.state === 'ready' ? w.text : undefined,
  );
}

async function change(
  ctx: TxCtx,
  source: string,
  details: Record<string, unknown>,
  text?: string,
): Promise<void> {
  const seen = await itemBySource(ctx.tx, ctx.companyId, source);
  const conversation =
    seen && (await conversationById(ctx.tx, ctx.companyId, seen.conversation_id, null, true));
  const item = conversation && (await itemBySource(ctx.tx, ctx.companyId, source));
  if (!item) return;
  const changed = await changeItem(ctx.tx, ctx.companyId, item.id, {
    details: JSON.stringify({ ...(item.details as object), ...details }),
    ...(text === undefined ? {} : { text }),
  });
  await sayUpdated(ctx, 'item_updated', conversation, changed);
}
