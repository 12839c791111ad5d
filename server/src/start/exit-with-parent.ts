/**
 * Loaded into every process the supervisor starts. When the supervisor is gone, however it went, the
 * channel to it closes: finish what is at hand and go too, so that a next start finds the ports free.
 */
function exit(): void {
  setTimeout(() => process.exit(1), 8_000).unref();
  process.kill(process.pid, 'SIGTERM');
}

if (process.send) {
  // It may have gone while this process was still loading: of that nobody is told any more.
  if (process.connected) process.once('disconnect', exit);
  else exit();
}
