/**
 * Loaded into every process the supervisor starts. When the supervisor is gone, however it went, the
 * channel to it closes: finish what is at hand and go too, so that a next start finds the ports free.
 */
if (process.send) {
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), 8_000).unref();
    process.kill(process.pid, 'SIGTERM');
  });
}
