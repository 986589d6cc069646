"""Verifies the tokens that it is given, and signs tokens of its own, with two libraries that others wrote.

Input: a JSON list of objects with "algorithm", "jwk" and "token", the JWK public or a shared secret. Output: "verified", a list of
"algorithm library" for each token that a library has believed, and "signed", a list like the input.
"""

import json
import sys

from joserfc import jws as other
from joserfc.jwk import import_key
from jwcrypto import jwk, jws

CLAIMS = json.dumps({"iss": "https://as.example", "sub": "ann", "aud": "https://api.example", "exp": 1800000300})
KINDS = {"ES256": ("EC", "P-256"), "ES384": ("EC", "P-384"), "ES512": ("EC", "P-521")}
KINDS.update({"EdDSA": ("OKP", "Ed25519"), "Ed25519": ("OKP", "Ed25519")})

verified = []
signed = []
rsa = jwk.JWK.generate(kty="RSA", size=2048)

for given in json.load(sys.stdin):
    algorithm, token = given["algorithm"], given["token"]
    # jwcrypto does not know the name of RFC 9864.
    has_name = algorithm != "Ed25519"

    key = import_key(given["jwk"])
    claims = json.loads(other.deserialize_compact(token, key, algorithms=[algorithm]).payload)
    if claims["sub"] == "ann":
        verified.append(algorithm + " joserfc")
    if has_name:
        read = jws.JWS()
        read.allowed_algs = [algorithm]
        read.deserialize(token, jwk.JWK(**given["jwk"]))
        if json.loads(read.payload)["sub"] == "ann":
            verified.append(algorithm + " jwcrypto")

    if algorithm.startswith("HS"):
        own = jwk.JWK(**given["jwk"])
    elif algorithm in KINDS:
        kty, crv = KINDS[algorithm]
        own = jwk.JWK.generate(kty=kty, crv=crv)
    else:
        own = rsa
    header = {"alg": algorithm, "typ": "JWT"}
    shown = given["jwk"] if algorithm.startswith("HS") else json.loads(own.export_public())
    text = other.serialize_compact(header, CLAIMS, import_key(json.loads(own.export())), algorithms=[algorithm])
    signed.append({"algorithm": algorithm, "library": "joserfc", "jwk": shown, "token": text})
    if has_name:
        made = jws.JWS(CLAIMS)
        made.allowed_algs = [algorithm]
        made.add_signature(own, protected=json.dumps(header))
        signed.append(
            {"algorithm": algorithm, "library": "jwcrypto", "jwk": shown, "token": made.serialize(compact=True)}
        )

json.dump({"verified": verified, "signed": signed}, sys.stdout)
