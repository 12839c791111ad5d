/**
 * Refusals by stable code: what failed and what to do, one sentence, no codes on screen (A28). `{name}` is filled from
 * the refusal's facts. Status 422 unless said. Sentences the specification gives stand word for word.
 */
export const refusals = {
  unauthenticated: { status: 401, text: 'Unauthenticated.' },
  'user.above_you': { status: 403, text: 'Nobody changes somebody whose role is above their own.' },
  'role.forbidden': { status: 403, text: 'Your role does not allow this.' },
  csrf_mismatch: { status: 403, text: 'Your session token was out of date. Please try again.' },
  cross_site: {
    status: 403,
    text: 'This request came from another website, so it was refused. Sign in at {address}.',
  },
  not_found: { status: 404, text: 'We could not find that.' },
  company_required: { status: 422, text: 'Say which company this is about: send company_id.' },
  precondition_failed: {
    status: 412,
    text: 'This was changed by someone else meanwhile. Reload and try again.',
  },
  'idempotency.mismatch': {
    status: 422,
    text: 'This Idempotency-Key was used before with a different request. Use a new key.',
  },
  'idempotency.running': {
    status: 409,
    text: 'The first request with this Idempotency-Key is still running. Try again in a moment.',
  },
  'rate.limited': { status: 429, text: 'Too many requests. Try again in {seconds} seconds.' },
  'form.not_taken': { status: 415, text: 'This address takes JSON only, no form and no files.' },
  'request.malformed': { status: 400, text: 'This request cannot be read: it is not valid HTTP.' },
  'request.timeout': {
    status: 408,
    text: 'The request took too long to arrive. Please try again.',
  },
  busy: { status: 503, text: 'Too much is going on right now. Try again in a few seconds.' },
  'storage.full': {
    status: 507,
    text: 'Nothing can be saved right now: the storage is full. Ask an administrator to make room.',
  },
  unavailable: {
    status: 503,
    text: 'The service cannot reach its database right now. Try again in a few seconds.',
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
  'file.not_here': { status: 404, text: 'This file is not stored on this server.' },
  'reset.expired': {
    status: 422,
    text: 'Your reset link has expired. Please try to resend it again.',
  },
  'export.too_large': {
    status: 422,
    text: 'These are {n} rows; one file holds {most}. Choose a shorter time or fewer numbers.',
  },
  'numbers.taken': { status: 409, text: 'That number was just taken. Please choose another.' },
  'numbers.limit': {
    status: 422,
    text: 'You have reached your number limit. Request an increase to continue.',
  },
  'numbers.limit_request_open': {
    status: 409,
    text: 'A request to raise your number limit is already open.',
  },
  'numbers.not_releasing': {
    status: 409,
    text: 'Only a number that is being released can be kept.',
  },
  'number.in_pool': {
    status: 409,
    text: 'This number belongs to a tracking pool. Remove it from the pool first.',
  },
  'template.exists': { status: 409, text: 'Another template has this name already.' },
  'template.in_use': {
    status: 409,
    text: 'This template is used by {n} numbers. Give them another template first.',
  },
  'numbers.cannot_rotate': { status: 409, text: 'This number cannot be exchanged: {reason}' },
  'numbers.none_found': {
    status: 409,
    text: 'No other number of this area is free right now. Try again later, or allow another area.',
  },
  'forwarding.exists': {
    status: 409,
    text: 'Another forwarding contact has this number and extension already.',
  },
  'forwarding.in_use': {
    status: 409,
    text: 'This forwarding number is used by {n} routes. Choose a replacement first.',
  },
  'flow.draft_changed': {
    status: 409,
    text: '{name} changed this draft meanwhile. Reload to see it before you save yours.',
  },
  'flow.draft_gone': {
    status: 409,
    text: 'This draft was published or discarded meanwhile. Reload to see the flow as it is now.',
  },
  'flow.no_draft': { status: 409, text: 'There is no draft to publish. Change something first.' },
  'flow.published_meanwhile': {
    status: 409,
    text: '{name} published version {version} after this draft began. Look at it, then publish again to replace it.',
  },
  'port.not_portable': { status: 422, text: '{number} cannot be moved: {reason}.' },
  'port.mixed_types': {
    status: 422,
    text: 'Local, toll-free and Canadian numbers move in separate requests. Leave one kind in this one.',
  },
  'port.open': {
    status: 409,
    text: '{number} is in another port request already. Continue that one.',
  },
  'port.not_now': { status: 409, text: 'This cannot be done while the request is {status}.' },
  'port.too_late': {
    status: 409,
    text: 'The numbers have moved already, so the request can no longer be canceled.',
  },
  'port.letter_changed': {
    status: 409,
    text: 'The letter has changed since you read it. Read it again, then sign.',
  },
  'marketplace.exists': { status: 409, text: '{number} is on the marketplace already.' },
  'marketplace.not_now': { status: 409, text: 'This cannot be done while the number is {status}.' },
  'marketplace.taken': {
    status: 409,
    text: 'Somebody else is taking this number. Choose another, or try again in 15 minutes.',
  },
  'marketplace.offer_needed': {
    status: 409,
    text: 'Make an offer first. You can lease this number once its owner accepts.',
  },
  'marketplace.fixed_price': {
    status: 409,
    text: 'This number has a fixed price, so it takes no offers.',
  },
  'marketplace.leased_to_you': {
    status: 409,
    text: '{number} is leased to you. Only its owner can offer it on the marketplace.',
  },
  'marketplace.renewal_early': { status: 409, text: 'This lease can be renewed from {date}.' },
  'marketplace.not_renewed': {
    status: 409,
    text: 'The owner has given notice, so this lease cannot be renewed. It ends on {date}.',
  },
  'marketplace.own': { status: 409, text: 'This number is your company’s own listing.' },
  'contact.unsubscribed': { status: 422, text: 'This contact opted out and cannot be texted.' },
  'contact.blocked': { status: 422, text: '{number} is blocked. Unblock it to send a message.' },
  'number.not_verified': { status: 422, text: 'This number is not yet approved for texting.' },
  'number.no_sms': { status: 422, text: 'This number cannot send texts.' },
  'message.empty': { status: 422, text: 'Write a message or attach a file.' },
  'message.media_too_large': {
    status: 422,
    text: 'These files are too large to send together. The limit is {limit}.',
  },
  'message.too_soon': { status: 422, text: 'Choose a time at least one minute from now.' },
  'message.too_late': { status: 422, text: 'Choose a time within one year.' },
  'number.carrier_gone': {
    status: 422,
    text: 'The carrier of this number is not connected, so it cannot call or text. Ask your administrator to connect it.',
  },
  'number.gone': {
    status: 422,
    text: 'This number is no longer yours, so nothing can be sent from it.',
  },
  'contact.anonymous': {
    status: 422,
    text: 'This caller withheld their number and cannot be texted.',
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
    text: 'A file may hold up to {most} rows. Split it into several.',
  },
  'import.begun': {
    status: 409,
    text: 'This file was imported already. Upload it again to import it once more.',
  },
  'import.cannot_undo': {
    status: 409,
    text: 'An import can be undone within 24 hours after it finished, once.',
  },
  'contact.exists': { status: 409, text: 'Another contact has this number already.' },
  'contact.merged': {
    status: 409,
    text: 'This contact was merged into another. Undo the merge instead.',
  },
  'contact.merge_self': { status: 422, text: 'Choose another contact to merge with.' },
  'contact.merge_undone': { status: 409, text: 'This merge was undone already.' },
  'contact.merge_old': {
    status: 409,
    text: 'A merge can be undone for 30 days. This one is older.',
  },
  'group.exists': { status: 409, text: 'Another group has this name already.' },
  'group.system': { status: 409, text: 'This group comes with the product and stays as it is.' },
  'group.virtual': {
    status: 409,
    text: 'The contacts of this group follow its rule. Change the rule instead.',
  },
  'label.exists': { status: 409, text: 'Another label has this name already.' },
  'bulk.running': { status: 409, text: 'This is still running. Undo it once it has finished.' },
  'bulk.undone': { status: 409, text: 'This was undone already.' },
  'vcard.unreadable': { status: 422, text: 'This file holds no contact cards that can be read.' },
  'message.no_recipient': {
    status: 422,
    text: 'Choose a conversation, or one of your numbers and whom to write to.',
  },
  'message.media_too_many': { status: 422, text: 'A message carries at most {limit} files.' },
  'message.media_unknown': {
    status: 422,
    text: '{name} is not a kind of file that can be texted.',
  },
  'note.not_yours': { status: 403, text: 'Only the person who wrote this note can change it.' },
  'message.not_scheduled': {
    status: 409,
    text: 'Only a message that is still scheduled can be changed.',
  },
  'call.ended': { status: 409, text: 'This call has already ended.' },
  'call.not_yours': { status: 403, text: 'Only someone who is in this call can do that.' },
  'call.not_now': { status: 409, text: 'This call has moved on, so that cannot be done now.' },
  'call.cannot': {
    status: 409,
    text: 'The carrier of this call cannot put more than two people together.',
  },
  'call.slot_taken': {
    status: 409,
    text: 'Slot {slot} is taken. Choose another, or leave it empty.',
  },
  'calling.busy': {
    status: 409,
    text: 'You are already in a call. End it before you start another.',
  },
  'calling.not_set_up': {
    status: 403,
    text: 'Calling is not set up for you. Ask an administrator to enable it.',
  },
  'calling.blocked': { status: 403, text: '{number} is blocked. Unblock it to call.' },
  'calling.emergency': {
    status: 403,
    text: 'Emergency calls cannot be placed here. Use another phone to call 911.',
  },
  'calling.caller_id': { status: 422, text: 'Choose one of your own numbers to call from.' },
  'lookup.not_configured': {
    status: 409,
    text: 'Caller identity is not configured. Connect a lookup provider under Integrations.',
  },
  'lookup.away': {
    status: 409,
    text: 'The caller identity provider did not answer. Please try again.',
  },
  'lookup.not_found': {
    status: 404,
    text: 'Enhanced Caller ID could not be retrieved. The caller may have withheld their number, or it is not in national databases.',
  },
  'carrier.refused': { status: 409, text: '{reason}' },
  'carrier.unreachable': {
    status: 409,
    text: 'The carrier did not answer. Nothing was changed. Please try again.',
  },
  'block.exists': { status: 409, text: '{number} is already blocked.' },
  'block.own_number': {
    status: 422,
    text: '{number} is one of your own numbers and cannot be blocked. Release it, or change where its calls go.',
  },
  'email.taken': {
    status: 409,
    text: 'An account with this e-mail already exists. Sign in instead.',
  },
  'signup.closed': {
    status: 403,
    text: 'Sign-up is closed here. Ask an administrator for an invitation.',
  },
  'field.choice_used': {
    status: 409,
    text: 'Some of the choices you removed are in use. Choose what takes their place.',
  },
  'field.not_organization': {
    status: 409,
    text: 'Only an organization’s field can be overridden. Change this one itself.',
  },
  'tag.exists': {
    status: 409,
    text: 'Another tag is named {name} already. Merge the two, or choose another name.',
  },
  'preset.exists': { status: 409, text: 'You have a preset of this name for this list already.' },
  'preset.not_yours': {
    status: 403,
    text: 'Only {name} can change this preset. Save your own under another name.',
  },
  'schedule.overlap': { status: 422, text: 'Two time ranges overlap on {day}.' },
  'greeting.in_use': {
    status: 409,
    text: 'This greeting is used by {places}. Choose another there first.',
  },
  'greeting.too_large': {
    status: 422,
    text: 'This file is too large. A greeting may have up to {limit}.',
  },
  'greeting.unreadable': { status: 422, text: 'This file cannot be read: {why}' },
  'greeting.not_spoken': {
    status: 422,
    text: 'These words could not be read aloud. Please try again.',
  },
  'fax.not_set_up': {
    status: 409,
    text: 'This server can’t fax yet. Ask whoever runs it to set FAX_CARRIER.',
  },
  'fax.number': { status: 422, text: 'This number cannot fax. Choose a fax number.' },
  'fax.no_document': { status: 422, text: 'Attach a document to fax.' },
  'fax.document_kind': {
    status: 422,
    text: '{name} is not a PDF, TIFF or picture that can be faxed.',
  },
  'fax.document_size': {
    status: 422,
    text: 'These documents are too large to fax. The limit is 15 MB.',
  },
  'fax.documents_many': { status: 422, text: 'A fax carries at most {limit} documents.' },
  'fax.no_recipient': {
    status: 422,
    text: 'Choose a conversation, or one of your numbers and whom to fax.',
  },
  'fax.not_failed': { status: 409, text: 'Only a fax that failed can be sent again.' },
  'campaign.not_editable': { status: 409, text: '{reason}' },
  'campaign.not_pausable': {
    status: 409,
    text: 'Only a campaign that is scheduled or in progress can be paused.',
  },
  'campaign.not_resumable': { status: 409, text: 'Only a paused campaign can be resumed.' },
  'campaign.not_cancelable': {
    status: 409,
    text: 'This campaign has ended or never began, so there is nothing to cancel.',
  },
  'campaign.not_deletable': {
    status: 409,
    text: 'Pause or cancel this campaign before you delete it.',
  },
  'campaign.not_approvable': { status: 409, text: 'This campaign is not waiting for approval.' },
  'campaign.confirm_text': {
    status: 409,
    text: '{n} people have got the former text. Confirm that the others get the new one.',
  },
  'campaign.confirm_resume': {
    status: 409,
    text: 'This campaign was paused {days} days ago. Confirm that it should still go out.',
  },
  'campaign.too_old': {
    status: 409,
    text: 'This campaign was paused more than 30 days ago. Duplicate it instead.',
  },
  'campaign.too_large': {
    status: 422,
    text: 'This group has {n} people; a campaign may go to {max}. Choose a smaller group.',
  },
  'registration.checks_failed': {
    status: 422,
    text: 'Some checks failed. Fix them and submit again.',
  },
  'registration.locked': {
    status: 409,
    text: 'This is with the carrier or approved already and cannot be changed. Cancel it, or begin a new one.',
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
    text: 'There is nothing to cancel: this was not sent, or it has ended.',
  },
  'registration.ended': {
    status: 409,
    text: 'This registration has ended. Begin a new one for these numbers.',
  },
  'teammate.unknown': {
    status: 422,
    text: 'This person does not see this conversation’s number. Choose somebody else.',
  },
  'snooze.too_soon': { status: 422, text: 'Choose a time at least one minute from now.' },
  'snooze.too_late': { status: 422, text: 'Choose a time within one year.' },
  'canned.exists': { status: 409, text: 'Another reply has the word /{shortcut} already.' },
  'canned.limit': { status: 422, text: 'There is room for 500 replies. Remove one first.' },
  'canned.not_yours': {
    status: 403,
    text: 'Only its author or an administrator can change this reply.',
  },
  'view.exists': { status: 409, text: 'Another view has this name already.' },
  'view.limit': { status: 422, text: 'There is room for 50 views. Remove one first.' },
  'view.not_yours': {
    status: 403,
    text: 'Only its author or an administrator can change this view.',
  },
  'unsubscribe.invalid': {
    status: 422,
    text: 'This link is not valid any more. Sign in to change your notifications.',
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
