/** Where to go after a log-in: only to an address of ours. */
export const safeNextPath = (search: string): string => {
  const next = new URLSearchParams(search).get('next') ?? '/';
  return /^\/(?![/\\])/.test(next) ? next : '/';
};
