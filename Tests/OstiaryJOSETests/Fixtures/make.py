"""Makes foreign.json and rfc.json beside it: what jwcrypto signs, and the examples of the RFCs as its own tests have them.

python3 -m venv v && v/bin/pip install jwcrypto && v/bin/python make.py
"""

import json
import pathlib

from jwcrypto import jwk, jws, tests
from jwcrypto.common import base64url_encode

CLAIMS = json.dumps(
    {"iss": "https://as.example", "aud": ["https://api.example"], "sub": "änn", "iat": 1800000000, "exp": 1800000300}
)
KINDS = {
    "ES256": dict(kty="EC", crv="P-256"),
    "ES384": dict(kty="EC", crv="P-384"),
    "ES512": dict(kty="EC", crv="P-521"),
    "EdDSA": dict(kty="OKP", crv="Ed25519"),
    **{name: dict(kty="RSA", size=2048) for name in ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")},
}
folder = pathlib.Path(__file__).parent

foreign = []
for algorithm, kind in KINDS.items():
    key = jwk.JWK.generate(kid="key of " + algorithm, **kind)
    token = jws.JWS(CLAIMS)
    token.add_signature(key, protected=json.dumps({"alg": algorithm, "kid": key["kid"], "typ": "JWT"}))
    foreign.append(
        {
            "algorithm": algorithm,
            "token": token.serialize(compact=True),
            "jwk": json.loads(key.export_public()),
            "pem": key.export_to_pem().decode(),
            "private pem": key.export_to_pem(True, None).decode(),
            "thumbprint": key.thumbprint(),
        }
    )
(folder / "foreign.json").write_text(json.dumps(foreign, indent=1, ensure_ascii=False) + "\n")


def compact(protected, payload, signature):
    return ".".join(base64url_encode(bytes(part)) for part in (protected, payload, signature))


def example(name, algorithm, token, key):
    return {"name": name, "algorithm": algorithm, "token": token, "jwk": json.dumps(key)}


ed25519 = tests.E_Ed25519
rfc = {
    "signed": [
        example(
            "RFC 7515 appendix A.1",
            "HS256",
            compact(tests.A1_protected, tests.A1_payload, tests.A1_signature),
            tests.SymmetricKeys["keys"][1],
        ),
        *[
            example(
                f"RFC 7515 appendix A.{number}",
                algorithm,
                compact(*[getattr(tests, f"A{number}_{part}") for part in ("protected", "payload", "signature")]),
                getattr(tests, f"A{number}_key"),
            )
            for number, algorithm in ((2, "RS256"), (3, "ES256"), (4, "ES512"))
        ],
        example(
            "RFC 8037 appendix A.4",
            "EdDSA",
            ed25519["jws_serialization_compact"],
            json.loads(ed25519["key_json"]),
        ),
    ],
    "unsigned": compact(b'{"alg":"none"}', tests.A5_payload, b""),
    "keys": {"keys": tests.PublicKeys["keys"]},
    "private keys": {"keys": tests.PrivateKeys["keys"]},
}
(folder / "rfc.json").write_text(json.dumps(rfc, indent=1) + "\n")
