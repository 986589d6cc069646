internal import OstiaryCore

/// RSA keys, which can't be made from a seed. They are published here: they must protect nothing but tests.
enum PublishedRSAKeys {
  /// The key of RFC 7517 Appendix A.2.
  static let first: [String: JSONValue] = [
    "kty": "RSA", "e": "AQAB",
    "n": """
    0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiF\
    V4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9\
    c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1\
    jF44-csFCur-kEgU8awapJzKnqDKgw
    """,
    "d": """
    X4cTteJY_gn4FYPsXB8rdXix5vwsg1FLN5E3EaG6RJoVH-HLLKD9M7dx5oo7GURknchnrRweUkC7hT5fJLM0WbFAKNLWY2vv7B6NqXSz\
    UvxT0_YSfqijwp3RTzlBaCxWp4doFk5N2o8Gy_nHNKroADIkJ46pRUohsXywbReAdYaMwFs9tv8d_cPVY3i07a3t8MN6TNwm0dSawm9v\
    47UiCl3Sk5ZiG7xojPLu4sbg1U2jx4IBTNBznbJSzFHK66jT8bgkuqsk0GjskDJk19Z4qwjwbsnn4j2WBii3RL-Us2lGVkY8fkFzme1z\
    0HbIkfz0Y6mqnOYtqc0X4jfcKoAC8Q
    """,
    "p": """
    83i-7IvMGXoMXCskv73TKr8637FiO7Z27zv8oj6pbWUQyLPQBQxtPVnwD20R-60eTDmD2ujnMt5PoqMrm8RfmNhVWDtjjMmCMjOpSXic\
    FHj7XOuVIYQyqVWlWEh6dN36GVZYk93N8Bc9vY41xy8B9RzzOGVQzXvNEvn7O0nVbfs
    """,
    "q": """
    3dfOR9cuYq-0S-mkFLzgItgMEfFzB2q3hWehMuG0oCuqnb3vobLyumqjVZQO1dIrdwgTnCdpYzBcOfW5r370AFXjiWft_NGEiovonizh\
    Kpo9VVS78TzFgxkIdrecRezsZ-1kYd_s1qDbxtkDEgfAITAG9LUnADun4vIcb6yelxk
    """,
  ]

  /// Another.
  static let second: [String: JSONValue] = [
    "kty": "RSA", "e": "AQAB",
    "n": """
    yDTvj9EpOzfZlA7CcSML8IyCcZQE3dSfWraUm-AoKIKOHIogAfFYqNAgvVcyFLIj7K61pWkkZG8IcszJaicFXPs2qOWiUyNrTbLWgp2J\
    bgcpXwoLeAxJoLUy4CuEOAm8Vg-JFdGFBN6mQjSm1zBmbH8Sku1hmN-wBVnSqBbyDRkrJCwWKYDcsNnl3k3Bg3QqOenfictgkMHI3jio\
    YTBoWHrlfOQ40Lb7LX7oOHM30x88D5ktMY5UgLzlCv0SA9llno9WmNJVIDrMGTCVKCR7ZiRJKF3Skh2olsqWBPypYkwWBw-dSkybBnMw\
    PZ_jzcSMbtAXQ-ihUInl_rHS4vnAhw
    """,
    "d": """
    ZZguE0fey-3I5NVoSF7LGCGxmwceb58j8NLtiXmSlWhC9ZqVlk9jYLMhGk0ZdJpQcFE5ahAW1sMa-fwZEeU5EPGdC4XWnBlo2vew8x2w\
    vOAVwMWSpfDAv4H3yKJSYZEBSSiKaAFpp9vDY--gCtqKla5ykR4B_1_hLrivLuBkY012cQzDTAC0kavZCGRal_hD47L5OsnPqvP8s8en\
    4wZdJxhxOFLCNJDBMFeRqiShJZzugVhgJeDkyAEoASHuIxVX_xspZPXuZKXLFLDm2d0vhpopX-hT4noXE3VcnyoLNE1bUN6HWFcdd0H5\
    Lg_JkYzgngYsGWt8I6MS81k98VTR
    """,
    "p": """
    7RJjGYO22z1b8Ls2N-culj-kXlEDjYNeKodtX5d9OkW8FGi8klt8Mwjz0WhY-uAl1vd1-biWSB2IrgMIvn0UbFRaVicUDXZXxDacKcMY\
    VPjorT1rbJhBnV9UAXFX4GWiyFVVjD7t513IGZ1ulZHKKuD3kykCy404eNSSKXzPdqU
    """,
    "q": """
    2DEMVuIIp9aKt3AAsYNEENfRDtR3gv2x0SaVp1BGW7wABp7ugru_Rl0SnZE_8d2kPpj0VSCRR8KGABs_xDLcp0dWtVzlJuhBnQQVQNp_\
    ARKY4LiWiO7ntuZDM8eZiq_4WfSNgqXGfyNlRhgYP1sOcnPhnNxN0xiUfcxpsVlv3rs
    """,
  ]
}
