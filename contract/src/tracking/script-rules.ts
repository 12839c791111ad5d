/** What can be wrong with the script on a page (A8.7). */
export const scriptFindings = [
  'script_missing',
  'wrong_key',
  'duplicate_script',
  'after_error',
  'domain_not_in_pool',
  'number_not_found',
  'number_format_unknown',
  'other_number_script',
  'csp_blocked',
  'only_in_tag_manager',
  'http_error',
  'not_public_url',
  'timeout',
  // What only a browser sees.
  'script_not_run',
  'no_number',
  'not_swapped',
] as const;
export type ScriptFinding = (typeof scriptFindings)[number];

export const scriptPlaces = ['head', 'body', 'tag_manager', 'unknown'] as const;
export type ScriptPlace = (typeof scriptPlaces)[number];

/** Whether a page was also opened in a browser, or why not. */
export const browserStates = [
  'checked',
  'not_installed',
  'not_opened',
  'not_started',
  'busy',
  'failed',
] as const;

/** Why a number that a pool replaces stays as it is on a page. */
export const targetReasons = ['not_found', 'format_unknown', 'kept_by_page'] as const;
