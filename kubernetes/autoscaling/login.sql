-- The login with which KEDA counts waiting work, and can read nothing else. Give it a password of your own:
--   psql "$DATABASE_URL" --set password="$(openssl rand -hex 24)" --file kubernetes/autoscaling/login.sql
CREATE ROLE plumbline_scaler LOGIN CONNECTION LIMIT 5 PASSWORD :'password';
ALTER ROLE plumbline_scaler SET default_transaction_read_only = on;
ALTER ROLE plumbline_scaler SET statement_timeout = '5s';
GRANT USAGE ON SCHEMA public TO plumbline_scaler;
GRANT SELECT (id, state, owner) ON audits_run TO plumbline_scaler;
GRANT SELECT (id, run_id, state, queue, sharded) ON audits_phase TO plumbline_scaler;
GRANT SELECT (phase_id, state) ON audits_shard TO plumbline_scaler;
GRANT SELECT (state) ON audits_modelcheck TO plumbline_scaler;
GRANT SELECT (state) ON audits_maprequest TO plumbline_scaler;
GRANT SELECT (state) ON audits_spellingrequest TO plumbline_scaler;
GRANT SELECT (state) ON audits_wordtest TO plumbline_scaler;
GRANT SELECT (state) ON audits_methodagreement TO plumbline_scaler;
GRANT SELECT (state) ON audits_paddingcomparison TO plumbline_scaler;
GRANT SELECT (state) ON audits_comparisonrequest TO plumbline_scaler;
