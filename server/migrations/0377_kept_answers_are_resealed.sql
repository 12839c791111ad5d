-- Answers kept for an Idempotency-Key are sealed anew when APP_SECRET changes; nothing else of them is the system's to change.
grant update (body_sealed) on idempotency_key to trunkline_system;
