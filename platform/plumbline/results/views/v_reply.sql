-- One row per answer of an endpoint, whole.
CREATE OR REPLACE VIEW results.v_reply AS
SELECT reply.id,
       reply.run,
       reply.request,
       answer.text AS text,
       reasoning.text AS reasoning,
       refusal.text AS refusal,
       reply.finish_reason,
       reply.served_model,
       reply.fingerprint,
       reply.left_out,
       reply.prompt_tokens,
       reply.completion_tokens,
       reply.reasoning_tokens,
       reply.seconds,
       reply.received_at
FROM results.reply
JOIN results.reply_text AS answer ON answer.id = reply.text
LEFT JOIN results.reply_text AS reasoning ON reasoning.id = reply.reasoning
LEFT JOIN results.reply_text AS refusal ON refusal.id = reply.refusal;

COMMENT ON VIEW results.v_reply IS 'One row per answer of an endpoint, whole';
COMMENT ON COLUMN results.v_reply.id IS 'never repeats';
COMMENT ON COLUMN results.v_reply.run IS 'the run';
COMMENT ON COLUMN results.v_reply.request IS 'the digest of the address and the body of the request';
COMMENT ON COLUMN results.v_reply.text IS 'the answer, as the model wrote it: untrusted text';
COMMENT ON COLUMN results.v_reply.reasoning IS 'what the model wrote before its answer, if the endpoint sends it apart';
COMMENT ON COLUMN results.v_reply.refusal IS 'the text of a refusal, if the endpoint sends it apart';
COMMENT ON COLUMN results.v_reply.finish_reason IS 'why the model stopped, as the endpoint says: stop, length, content_filter';
COMMENT ON COLUMN results.v_reply.served_model IS 'the model that answered, as the endpoint names it';
COMMENT ON COLUMN results.v_reply.fingerprint IS 'the fingerprint of the system that answered, if the endpoint has one';
COMMENT ON COLUMN results.v_reply.left_out IS 'parameters that the model refuses, which were left out';
COMMENT ON COLUMN results.v_reply.prompt_tokens IS 'tokens that were read, as the endpoint counts them';
COMMENT ON COLUMN results.v_reply.completion_tokens IS 'tokens that were written, as the endpoint counts them';
COMMENT ON COLUMN results.v_reply.reasoning_tokens IS 'tokens of these that were reasoning, as the endpoint counts them';
COMMENT ON COLUMN results.v_reply.seconds IS 'how long the request took';
COMMENT ON COLUMN results.v_reply.received_at IS 'when the answer arrived';
