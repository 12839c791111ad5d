import type { EventData } from '#contract';
import type {
  callEnded,
  callStarted,
  recordingReady,
  transcriptionReady,
  voicemailReceived,
} from '#contract/calls/events';
import type { TxCtx } from '../../platform/context.ts';
import { firstOf } from '../../platform/must-be.ts';
import { linkConversation, wordsOfVoicemail } from '../calls/index.ts';
import { isBlocked } from '../compliance/index.ts';
import { findOrCreateContact } from '../contacts/index.ts';
import { appendItem } from './append-item.ts';
import { matchedFacts } from './item-details.ts';
import { recomputeCounters } from './recompute-counters.ts';
import { publishConversationUpdated } from './publish-conversation-updated.ts';
import {
  bumpConversation,
  conversationById,
  openConversation,
  summaryOf,
  type ItemRow,
} from './store.ts';
import { updateItem, lockSource, itemBySource, voicemailItemOfCall } from './store-items.ts';

const callSource = (callId: number) => `call:${callId}`;
const blockedOutcome = 4;
const missedOutcomes = [2, 3];

/**
 * A call appears in its conversation when it first rings; a blocked caller's only when it ends,
 * without a notification.
 */
export async function appendStartedCall(
  ctx: TxCtx,
  c: EventData<typeof callStarted>,
): Promise<void> {
  if (!c.outbound && (await isBlocked(ctx.tx, ctx.companyId, c.numberId, c.party))) return;
  const added = await appendItem(ctx, {
    numberId: c.numberId,
    party: c.party,
    kind: 'call',
    isInbound: !c.outbound,
    at: new Date(c.startedAt),
    source: callSource(c.callId),
    details: {
      callId: c.callId,
      status: 1,
      outcome: 0,
      duration: 0,
      recordingFileId: null,
      recordingSeconds: null,
      answeredBy: null,
      extensionLabel: null,
      ...matchedFacts(c.source),
    },
  });
  if (added) await linkConversation(ctx, c.callId, added.conversation.id);
}

/**
 * How the call ended. Missed and sent to voicemail is unread; answered, placed and blocked is not.
 * Idempotent, and works before the call's start was processed.
 */
export async function updateEndedCall(ctx: TxCtx, c: EventData<typeof callEnded>): Promise<void> {
  const quiet = c.outcome === blockedOutcome;
  const at = new Date(c.startedAt);
  // Start, end and voicemail are processed concurrently: the conversation's lock serializes them.
  // The contact is locked first, as everywhere.
  const contact = quiet ? null : await findOrCreateContact(ctx, c.party);
  const opened = await openConversation(ctx.tx, {
    company_id: ctx.companyId,
    number_id: c.numberId,
    party: c.party,
    contact_id: contact?.id ?? null,
    at,
    archived: quiet,
  });
  // Repeats the link that `appendStartedCall` made, unless the end is processed first.
  await linkConversation(ctx, c.callId, opened.id);
  const details = {
    callId: c.callId,
    status: c.status,
    outcome: c.outcome,
    duration: c.durationSeconds,
    recordingFileId: c.recordingFileId,
    recordingSeconds: null,
    answeredBy: c.answeredBy?.label ?? null,
    extensionLabel: c.extensionLabel,
    ...matchedFacts(c.source),
  };
  const unread =
    !c.outbound &&
    missedOutcomes.includes(c.outcome) &&
    !(c.outcome === 3 && (await voicemailItemOfCall(ctx.tx, ctx.companyId, opened.id, c.callId)));
  const existing = await itemBySource(ctx.tx, ctx.companyId, callSource(c.callId));
  if (existing) {
    await endCallItem(ctx, c, existing, { conversationId: opened.id, details, unread });
    return;
  }
  await appendItem(ctx, {
    numberId: c.numberId,
    party: c.party,
    kind: 'call',
    isInbound: !c.outbound,
    at,
    source: callSource(c.callId),
    details,
    unread,
    quiet,
  });
}

/** Updates the item of a call that was stored when it started; one that has ended stays as it is. */
async function endCallItem(
  ctx: TxCtx,
  c: EventData<typeof callEnded>,
  item: ItemRow,
  ended: { conversationId: number; details: object; unread: boolean },
): Promise<void> {
  if ((item.details as { status: number }).status !== 1) return;
  // The recording is often ready before the call has ended.
  const { recordingFileId, recordingSeconds = null } = item.details as {
    recordingFileId: number | null;
    recordingSeconds?: number | null;
  };
  const recording = c.recordingFileId ?? recordingFileId;
  const changed = await updateItem(ctx.tx, ctx.companyId, item.id, {
    details: JSON.stringify({ ...ended.details, recordingFileId: recording, recordingSeconds }),
    ...(ended.unread ? { read_at: null } : {}),
  });
  const conversation = await bumpConversation(ctx.tx, ctx.companyId, ended.conversationId, {
    itemId: item.id,
    kind: 'call',
    inbound: !c.outbound,
    at: item.created_at,
    details: summaryOf(changed),
    unread: ended.unread,
    restore: false,
    heard: false,
    latest: true,
  });
  await publishConversationUpdated(ctx, 'item_updated', conversation, changed);
}

/** Stores a voicemail as unread and marks the call that left it as read. */
export async function appendVoicemail(
  ctx: TxCtx,
  v: EventData<typeof voicemailReceived>,
): Promise<void> {
  const source = `voicemail:${v.voicemailId}`;
  // Its transcript may be published first: then it is read here, and `attachTranscript` found no
  // item to change.
  await lockSource(ctx.tx, ctx.companyId, source);
  const transcript = await wordsOfVoicemail(ctx.tx, ctx.companyId, v.voicemailId);
  const isTranscribed = transcript?.state === 'ready';
  const added = await appendItem(ctx, {
    numberId: v.numberId,
    party: v.party,
    kind: 'voicemail',
    isInbound: true,
    at: new Date(v.receivedAt),
    unread: true,
    source,
    ...(isTranscribed ? { text: transcript.text } : {}),
    details: {
      callId: v.callId,
      voicemailId: v.voicemailId,
      duration: v.durationSeconds,
      fileId: v.fileId,
      transcription: isTranscribed ? transcript.text : null,
      transcriptionState:
        transcript && ['ready', 'failed', 'skipped'].includes(transcript.state)
          ? transcript.state
          : 'none',
      ...matchedFacts(v.source),
    },
    quiet: await isBlocked(ctx.tx, ctx.companyId, v.numberId, v.party),
  });
  const call = added && (await itemBySource(ctx.tx, ctx.companyId, callSource(v.callId)));
  if (!call || call.read_at) return;
  const changed = await updateItem(ctx.tx, ctx.companyId, call.id, { read_at: ctx.now });
  const conversation = firstOf(await recomputeCounters(ctx, [call.conversation_id]));
  await publishConversationUpdated(ctx, 'read', conversation, changed);
}

/** Adds the recording's file and length to the call's item. */
export async function attachRecording(
  ctx: TxCtx,
  r: EventData<typeof recordingReady>,
): Promise<void> {
  await patchItem(ctx, callSource(r.callId), {
    recordingFileId: r.fileId,
    recordingSeconds: r.durationSeconds,
  });
}

/**
 * A voicemail's transcript is searchable like a text; a call's transcript is searched by the calls
 * module.
 */
export async function attachTranscript(
  ctx: TxCtx,
  w: EventData<typeof transcriptionReady>,
): Promise<void> {
  if (w.voicemailId === null) return;
  await lockSource(ctx.tx, ctx.companyId, `voicemail:${w.voicemailId}`);
  await patchItem(
    ctx,
    `voicemail:${w.voicemailId}`,
    { transcription: w.state === 'ready' ? w.text : null, transcriptionState: w.state },
    w.state === 'ready' ? w.text : undefined,
  );
}

async function patchItem(
  ctx: TxCtx,
  source: string,
  details: Record<string, unknown>,
  text?: string,
): Promise<void> {
  const found = await itemBySource(ctx.tx, ctx.companyId, source);
  const conversation =
    found && (await conversationById(ctx.tx, ctx.companyId, found.conversation_id, null, true));
  const item = conversation && (await itemBySource(ctx.tx, ctx.companyId, source));
  if (!item) return;
  const changed = await updateItem(ctx.tx, ctx.companyId, item.id, {
    details: JSON.stringify({ ...(item.details as object), ...details }),
    ...(text === undefined ? {} : { text }),
  });
  await publishConversationUpdated(ctx, 'item_updated', conversation, changed);
}
