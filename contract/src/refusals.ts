/**
 * Refusals by stable code: what failed and what to do, one sentence, no codes on screen (A28). `{name}` is filled from
 * the refusal's facts. Status 422 unless said. Sentences the specification gives stand word for word.
 */
export const refusals = {
  unauthenticated: { status: 401, text: 'Unauthenticated.' },
  'user.above_you': { status: 403, text: 'You can’t change a person whose role is above yours.' },
  'role.forbidden': { status: 403, text: 'Your role does not allow this.' },
  csrf_mismatch: { status: 403, text: 'Your session token was out of date. Please try again.' },
  cross_site: {
    status: 403,
    text: 'This request came from another website, so it was blocked. Sign in at {address}.',
  },
  not_found: { status: 404, text: 'We couldn’t find that.' },
  company_required: { status: 422, text: 'Choose a company: send company_id.' },
  precondition_failed: {
    status: 412,
    text: 'Someone else changed this. Reload and try again.',
  },
  'idempotency.mismatch': {
    status: 422,
    text: 'This Idempotency-Key was already used with a different request. Use a new key.',
  },
  'idempotency.running': {
    status: 409,
    text: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  },
  'rate.limited': { status: 429, text: 'Too many requests. Try again in {seconds} seconds.' },
  'form.not_taken': { status: 415, text: 'This endpoint accepts JSON only, no forms or files.' },
  'request.malformed': {
    status: 400,
    text: 'This request can’t be read because it isn’t valid HTTP.',
  },
  'request.timeout': {
    status: 408,
    text: 'The request took too long to arrive. Please try again.',
  },
  busy: { status: 503, text: 'The server is busy. Try again in a few seconds.' },
  'storage.full': {
    status: 507,
    text: 'Couldn’t save because the storage is full. Ask an administrator to free up space.',
  },
  unavailable: {
    status: 503,
    text: 'The server can’t reach its database right now. Try again in a few seconds.',
  },
  'mail.not_set_up': {
    status: 409,
    text: 'This server can’t send email yet. Ask its operator to set SMTP_URL.',
  },
  'signup.link_used': {
    status: 409,
    text: 'This sign-up link no longer works. Sign in, or restart the server to get a new one.',
  },
  'login.locked': { status: 429, text: 'Too many attempts. Try again in {minutes} minutes.' },
  'company.has_activity': {
    status: 409,
    text: 'You cannot delete an account that has numbers added or has any activity on those numbers',
  },
  'link.expired': { status: 403, text: 'Link expired. Please log in.' },
  'file.not_here': { status: 404, text: 'This file isn’t stored on this server.' },
  'reset.expired': {
    status: 422,
    text: 'Your reset link has expired. Please try to resend it again.',
  },
  'export.too_large': {
    status: 422,
    text: 'This export has {n} rows, and one file holds {most}. Choose a shorter period or fewer numbers.',
  },
  'connection.unknown_provider': { status: 404, text: 'There’s no integration named {provider}.' },
  'connection.provider_not_set_up': {
    status: 409,
    text: '{provider} can’t be connected yet. An operator must set its client ID and secret on this server.',
  },
  'numbers.taken': { status: 409, text: 'That number was just taken. Please choose another.' },
  'numbers.limit': {
    status: 422,
    text: 'You have reached your number limit. Request an increase to continue.',
  },
  'numbers.limit_request_open': {
    status: 409,
    text: 'You already have an open request to raise your number limit.',
  },
  'numbers.not_releasing': {
    status: 409,
    text: 'Only a number that is being released can be kept.',
  },
  'number.in_pool': {
    status: 409,
    text: 'This number belongs to a tracking pool. Remove it from the pool first.',
  },
  'template.exists': {
    status: 409,
    text: 'Another template has this name. Choose a different name.',
  },
  'template.in_use': {
    status: 409,
    text: 'This template is used by {n} numbers. Choose another template for them first.',
  },
  'numbers.cannot_rotate': { status: 409, text: 'This number can’t be exchanged: {reason}' },
  'numbers.none_found': {
    status: 409,
    text: 'No other number in this area is available right now. Try again later, or allow another area.',
  },
  'forwarding.exists': {
    status: 409,
    text: 'Another forwarding contact has this number and extension.',
  },
  'forwarding.in_use': {
    status: 409,
    text: 'This forwarding number is used by {n} routes. Choose a replacement first.',
  },
  'flow.draft_changed': {
    status: 409,
    text: '{name} changed this draft. Reload to see the changes before you save yours.',
  },
  'flow.draft_gone': {
    status: 409,
    text: 'This draft was published or discarded. Reload to see the current flow.',
  },
  'flow.no_draft': { status: 409, text: 'There’s no draft to publish. Make a change first.' },
  'flow.published_meanwhile': {
    status: 409,
    text: '{name} published version {version} after this draft was started. Review it, then publish again to replace it.',
  },
  'port.not_portable': { status: 422, text: '{number} cannot be moved: {reason}.' },
  'port.mixed_types': {
    status: 422,
    text: 'Local, toll-free and Canadian numbers need separate port requests. Keep one type in this request.',
  },
  'port.open': {
    status: 409,
    text: '{number} is in another port request. Continue that request.',
  },
  'port.not_now': { status: 409, text: 'You can’t do this while the request is {status}.' },
  'port.too_late': {
    status: 409,
    text: 'The numbers have already been ported, so the request can’t be canceled.',
  },
  'port.letter_changed': {
    status: 409,
    text: 'The letter has changed since you read it. Read it again, then sign.',
  },
  'marketplace.exists': { status: 409, text: '{number} is already on the marketplace.' },
  'marketplace.not_now': { status: 409, text: 'You can’t do this while the number is {status}.' },
  'marketplace.taken': {
    status: 409,
    text: 'Someone else is taking this number. Choose another, or try again in 15 minutes.',
  },
  'marketplace.offer_needed': {
    status: 409,
    text: 'Make an offer first. You can lease this number once its owner accepts.',
  },
  'marketplace.fixed_price': {
    status: 409,
    text: 'This number has a fixed price, so it doesn’t accept offers.',
  },
  'marketplace.leased_to_you': {
    status: 409,
    text: '{number} is leased to you. Only its owner can list it on the marketplace.',
  },
  'marketplace.renewal_early': { status: 409, text: 'This lease can be renewed starting {date}.' },
  'marketplace.not_renewed': {
    status: 409,
    text: 'The owner has given notice, so this lease can’t be renewed. It ends on {date}.',
  },
  'marketplace.own': { status: 409, text: 'This number is your company’s own listing.' },
  'contact.unsubscribed': { status: 422, text: 'This contact opted out and cannot be texted.' },
  'contact.blocked': { status: 422, text: '{number} is blocked. Unblock it to send a message.' },
  'number.not_verified': { status: 422, text: 'This number is not yet approved for texting.' },
  'number.no_sms': { status: 422, text: 'This number can’t send texts.' },
  'message.empty': { status: 422, text: 'Enter a message or attach a file.' },
  'message.media_too_large': {
    status: 422,
    text: 'These files are too large to send together. The limit is {limit}.',
  },
  'message.too_soon': { status: 422, text: 'Choose a time at least one minute from now.' },
  'message.too_late': { status: 422, text: 'Choose a time within one year.' },
  'number.carrier_gone': {
    status: 422,
    text: 'This number’s carrier isn’t connected, so it can’t call or text. Ask your administrator to connect it.',
  },
  'number.gone': {
    status: 422,
    text: 'This number is no longer yours, so you can’t send from it.',
  },
  'contact.anonymous': {
    status: 422,
    text: 'This caller’s number is withheld, so it can’t be texted.',
  },
  'import.bad_file': {
    status: 422,
    text: 'It seems there are some issues with your file. Please ensure that your CSV/XLSX file includes valid columns for "name" and "number". These are required for successful contact import.',
  },
  'import.no_columns': {
    status: 422,
    text: 'It seems there are some issues with your file. Please ensure that your CSV/XLSX file includes valid columns for "name" and "number". These are required for successful contact import.',
  },
  'import.failed': {
    status: 422,
    text: 'Import failure. Please try to import contacts once again',
  },
  'import.too_many_rows': {
    status: 422,
    text: 'A file can have up to {most} rows. Split it into several files.',
  },
  'import.begun': {
    status: 409,
    text: 'This file was already imported. Upload it again to import it once more.',
  },
  'import.cannot_undo': {
    status: 409,
    text: 'You can undo an import once, within 24 hours after it finishes.',
  },
  'contact.exists': { status: 409, text: 'Another contact has this number.' },
  'contact.merged': {
    status: 409,
    text: 'This contact was merged into another. Undo the merge instead.',
  },
  'contact.merge_self': { status: 422, text: 'Choose another contact to merge with.' },
  'contact.merge_undone': { status: 409, text: 'This merge was already undone.' },
  'contact.merge_old': {
    status: 409,
    text: 'You can undo a merge for 30 days. This one is older.',
  },
  'group.exists': { status: 409, text: 'Another group has this name. Choose a different name.' },
  'group.system': { status: 409, text: 'This is a built-in group, so it can’t be changed.' },
  'group.virtual': {
    status: 409,
    text: 'The contacts in this group follow its rule. Change the rule instead.',
  },
  'label.exists': { status: 409, text: 'Another label has this name. Choose a different name.' },
  'bulk.running': { status: 409, text: 'This is still running. Undo it when it has finished.' },
  'bulk.undone': { status: 409, text: 'This was already undone.' },
  'vcard.unreadable': { status: 422, text: 'This file has no contact cards we can read.' },
  'message.no_recipient': {
    status: 422,
    text: 'Choose a conversation, or choose one of your numbers and enter a recipient.',
  },
  'message.media_too_many': { status: 422, text: 'A message can have at most {limit} files.' },
  'message.media_unknown': {
    status: 422,
    text: '{name} can’t be sent by text. Choose a different type of file.',
  },
  'note.not_yours': { status: 403, text: 'Only the person who wrote this note can change it.' },
  'message.not_scheduled': {
    status: 409,
    text: 'You can only change a message that is still scheduled.',
  },
  'call.ended': { status: 409, text: 'This call has already ended.' },
  'call.not_yours': { status: 403, text: 'Only someone on this call can do that.' },
  'call.not_now': { status: 409, text: 'The call has changed, so this is no longer possible.' },
  'call.cannot': {
    status: 409,
    text: 'This call’s carrier can’t connect more than two people.',
  },
  'call.slot_taken': {
    status: 409,
    text: 'Slot {slot} is taken. Choose another, or leave it empty.',
  },
  'calling.busy': {
    status: 409,
    text: 'You’re already on a call. End it before you start another.',
  },
  'calling.not_set_up': {
    status: 403,
    text: 'Calling isn’t set up for you. Ask an administrator to enable it.',
  },
  'calling.blocked': { status: 403, text: '{number} is blocked. Unblock it to call.' },
  'calling.emergency': {
    status: 403,
    text: 'You can’t place emergency calls here. Use another phone to call 911.',
  },
  'calling.caller_id': { status: 422, text: 'Choose one of your own numbers to call from.' },
  'lookup.not_configured': {
    status: 409,
    text: 'Caller ID lookup isn’t set up. Connect a lookup provider under Integrations.',
  },
  'lookup.away': {
    status: 409,
    text: 'The caller ID lookup provider didn’t respond. Try again.',
  },
  'lookup.not_found': {
    status: 404,
    text: 'Enhanced Caller ID isn’t available for this number. The number may be withheld, or missing from national databases.',
  },
  'carrier.refused': { status: 409, text: '{reason}' },
  'carrier.unreachable': {
    status: 409,
    text: 'The carrier didn’t respond, so nothing was changed. Try again.',
  },
  'block.exists': { status: 409, text: '{number} is already blocked.' },
  'block.own_number': {
    status: 422,
    text: '{number} is one of your own numbers and can’t be blocked. Release it, or change its routing.',
  },
  'email.taken': {
    status: 409,
    text: 'An account with this email already exists. Sign in instead.',
  },
  'signup.closed': {
    status: 403,
    text: 'Sign-up is closed. Ask an administrator for an invitation.',
  },
  'field.choice_used': {
    status: 409,
    text: 'Some of the choices you removed are in use. Choose a replacement for each.',
  },
  'field.not_organization': {
    status: 409,
    text: 'Only an organization’s field can be overridden. Change this field directly.',
  },
  'tag.exists': {
    status: 409,
    text: 'Another tag is named {name}. Merge the two, or choose a different name.',
  },
  'preset.exists': { status: 409, text: 'You already have a preset with this name for this list.' },
  'preset.not_yours': {
    status: 403,
    text: 'Only {name} can change this preset. Save your own under a different name.',
  },
  'schedule.overlap': { status: 422, text: 'Two time ranges overlap on {day}.' },
  'greeting.in_use': {
    status: 409,
    text: 'This greeting is used by {places}. Choose another greeting there first.',
  },
  'greeting.too_large': {
    status: 422,
    text: 'This file is too large. A greeting can have up to {limit}.',
  },
  'greeting.unreadable': { status: 422, text: 'This file can’t be read: {why}' },
  'greeting.not_spoken': {
    status: 422,
    text: 'The text couldn’t be read aloud. Try again.',
  },
  'fax.not_set_up': {
    status: 409,
    text: 'This server can’t fax yet. Ask its operator to set FAX_CARRIER.',
  },
  'fax.number': { status: 422, text: 'This number can’t fax. Choose a fax number.' },
  'fax.no_document': { status: 422, text: 'Attach a document to fax.' },
  'fax.document_kind': {
    status: 422,
    text: '{name} can’t be faxed. Choose a PDF, TIFF or picture.',
  },
  'fax.document_size': {
    status: 422,
    text: 'These documents are too large to fax. The limit is 15 MB.',
  },
  'fax.documents_many': { status: 422, text: 'A fax can have at most {limit} documents.' },
  'fax.no_recipient': {
    status: 422,
    text: 'Choose a conversation, or choose one of your numbers and enter a recipient to fax.',
  },
  'fax.not_failed': { status: 409, text: 'You can only resend a fax that failed.' },
  'campaign.not_editable': { status: 409, text: '{reason}' },
  'campaign.not_pausable': {
    status: 409,
    text: 'Only a campaign that is scheduled or in progress can be paused.',
  },
  'campaign.not_resumable': { status: 409, text: 'Only a paused campaign can be resumed.' },
  'campaign.not_cancelable': {
    status: 409,
    text: 'This campaign has ended or hasn’t started, so there’s nothing to cancel.',
  },
  'campaign.not_deletable': {
    status: 409,
    text: 'Pause or cancel this campaign before you delete it.',
  },
  'campaign.not_approvable': { status: 409, text: 'This campaign isn’t waiting for approval.' },
  'campaign.confirm_text': {
    status: 409,
    text: 'The previous text was already sent to {n} recipients. Confirm that the rest get the new one.',
  },
  'campaign.confirm_resume': {
    status: 409,
    text: 'This campaign was paused {days} days ago. Confirm that you still want to send it.',
  },
  'campaign.too_old': {
    status: 409,
    text: 'This campaign was paused more than 30 days ago. Duplicate it instead.',
  },
  'campaign.too_large': {
    status: 422,
    text: 'This group has {n} people, and a campaign can have up to {max}. Choose a smaller group.',
  },
  'registration.checks_failed': {
    status: 422,
    text: 'Some checks failed. Fix them and submit again.',
  },
  'registration.locked': {
    status: 409,
    text: 'This is already with the carrier or approved, so it can’t be changed. Cancel it, or start a new one.',
  },
  'registration.number_in_use': {
    status: 409,
    text: '{number} belongs to another registration. Remove it there first.',
  },
  'registration.active': {
    status: 409,
    text: 'This registration is still active. Cancel it first.',
  },
  'registration.not_cancelable': {
    status: 409,
    text: 'There’s nothing to cancel. This wasn’t submitted, or it has ended.',
  },
  'registration.ended': {
    status: 409,
    text: 'This registration has ended. Start a new one for these numbers.',
  },
  'teammate.unknown': {
    status: 422,
    text: 'This person can’t see this conversation’s number. Choose someone else.',
  },
  'snooze.too_soon': { status: 422, text: 'Choose a time at least one minute from now.' },
  'snooze.too_late': { status: 422, text: 'Choose a time within one year.' },
  'canned.exists': {
    status: 409,
    text: 'Another reply uses the shortcut /{shortcut}. Choose a different one.',
  },
  'canned.limit': { status: 422, text: 'You can have up to 500 replies. Remove one first.' },
  'canned.not_yours': {
    status: 403,
    text: 'Only its author or an administrator can change this reply.',
  },
  'view.exists': { status: 409, text: 'Another view has this name. Choose a different name.' },
  'view.limit': { status: 422, text: 'You can have up to 50 views. Remove one first.' },
  'view.not_yours': {
    status: 403,
    text: 'Only its author or an administrator can change this view.',
  },
  'unsubscribe.invalid': {
    status: 422,
    text: 'This link is no longer valid. Sign in to change your notifications.',
  },
} as const satisfies Record<string, { status: number; text: string }>;

export type RefusalCode = keyof typeof refusals;

/** The sentence of a refusal with its facts filled in. */
export function refusalText(
  code: RefusalCode,
  facts: Readonly<Record<string, string | number>> = {},
): string {
  const text =
    facts['n'] === 1 ? refusals[code].text.replace(/(\{n\} \w+)s\b/, '$1') : refusals[code].text;
  return text.replace(/\{(\w+)\}/g, (_, k: string) => String(facts[k] ?? ''));
}
